/**
 * The theme is an attribute on <html>, written before the first paint by an inline script and kept in
 * localStorage beside the settings, which load too late for that.
 */

type ThemeChoice = 'system' | 'light' | 'dark'

const KEY = 'palimpsest.theme'

/**
 * Runs in <head>. Also leaves its nonce where style-writing libraries look for one (get-nonce reads
 * `__webpack_nonce__`), so that scroll locks pass the content security policy.
 */
export const THEME_SCRIPT = `(()=>{const d=document.documentElement,q=matchMedia('(prefers-color-scheme: dark)');let c;try{c=localStorage.getItem('${KEY}')}catch{}d.dataset.choice=c||'system';const set=()=>{const c=d.dataset.choice;d.dataset.theme=c==='system'?q.matches?'dark':'light':c};set();q.addEventListener('change',set);window.__webpack_nonce__=document.currentScript.nonce})()`

/** Shows `choice` now and remembers it for the next load. */
export function applyTheme(choice: ThemeChoice): void {
  const root = document.documentElement
  const dark = matchMedia('(prefers-color-scheme: dark)').matches
  root.dataset.choice = choice
  root.dataset.theme = choice === 'system' ? (dark ? 'dark' : 'light') : choice
  try {
    localStorage.setItem(KEY, choice)
  } catch {
    // Storage may be denied; the settings still hold the choice.
  }
}
