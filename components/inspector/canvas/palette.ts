/** Colours and faces for drawing, read from the tokens of `app/globals.css`. */

const NAMES = [
  'paper',
  'panel',
  'raised',
  'line',
  'line2',
  'hover',
  'ink',
  'ink2',
  'ink3',
  'faint',
  'accent',
  'user',
  'on-user',
  'user-soft',
  'assistant',
  'on-assistant',
  'assistant-soft',
  'call',
  'on-call',
  'call-soft',
  'result',
  'on-result',
  'result-soft',
  'summary',
  'on-summary',
  'summary-soft',
  'summary-ink',
  'pruned',
  'on-pruned',
  'pruned-soft',
  'system',
  'on-system',
  'system-soft',
  'tools',
  'err',
  'err-ink',
] as const
export type ColorName = (typeof NAMES)[number]
export type Palette = Record<ColorName, string> & { sans: string; mono: string; dark: boolean }

/** Where the system forces its colours, what stands on the page's ground takes them; fills keep meaning. */
const FORCED: Partial<Record<ColorName, string>> = {
  panel: 'Canvas',
  paper: 'Canvas',
  ink: 'CanvasText',
  ink2: 'CanvasText',
  ink3: 'CanvasText',
  faint: 'CanvasText',
  line2: 'CanvasText',
  accent: 'Highlight',
}

export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element)
  const palette = {} as Record<ColorName, string>
  for (const name of NAMES) palette[name] = style.getPropertyValue(`--${name}`).trim() || '#888'
  const mono = style.getPropertyValue('--font-geist-mono').trim()
  return {
    ...palette,
    ...(matchMedia('(forced-colors: active)').matches ? FORCED : {}),
    sans: style.fontFamily || 'system-ui, sans-serif',
    mono: mono ? `${mono}, ui-monospace, monospace` : 'ui-monospace, monospace',
    dark: style.colorScheme.includes('dark'),
  }
}
