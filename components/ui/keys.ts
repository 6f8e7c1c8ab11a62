/** Key names as this system writes them. Browser only. */

const isApple = (): boolean =>
  typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)

/** `⌘K` or `Ctrl K`. */
export const withMod = (key: string): string => (isApple() ? `⌘${key}` : `Ctrl ${key}`)

export const hasMod = (event: { metaKey: boolean; ctrlKey: boolean }): boolean =>
  isApple() ? event.metaKey : event.ctrlKey

/** Whether keys typed now are text: shortcuts of one letter must stay out of the way. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && target.type !== 'checkbox' && target.type !== 'radio')
  )
}
