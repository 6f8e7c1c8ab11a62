/** Embeddings, overrides and isolates: a name with them reads as another, and reorders what stands beside it. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * A name from elsewhere (a file's, a session's, a model's) as it really is, for attributes and options. The
 * parts of this folder that take a label give it through here, so that no label needs to think of it.
 */
export const plainName = (name: string): string => name.replace(REORDERING, '\ufffd')

/** The same on screen: whatever script it is written in, the words around it stay in their order. */
export const Name = ({ children }: { children: string }) => <bdi>{plainName(children)}</bdi>
