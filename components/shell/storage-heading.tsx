export const StorageHeading = ({ children }: { children: string }) => (
  <h3 className="m-0 mb-1.5 text-[1em] font-[520]">{children}</h3>
)
