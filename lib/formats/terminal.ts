/** What a terminal would act upon in a text: everything but colours and styles goes, in every format for people. */

/** A sequence that does not end is bounded, so that text is not lost. `codes` are those of a colour or style. */
export const CONTROL = new RegExp(
  [
    '(?:\\u001b\\[|\\u009b)(?<codes>[0-9;:]{0,200})m',
    '(?:\\u001b\\[|\\u009b)[0-?]{0,200}[ -/]{0,20}[@-~]',
    '(?:\\u001b[\\]PX^_]|[\\u009d\\u0090\\u0098\\u009e\\u009f])[^\\u0007\\u001b\\u0080-\\u009f\\n]{0,2000}(?:\\u0007|\\u001b\\\\|\\u009c)',
    '\\u001b[ -/]{0,20}[0-Z\\\\^-~]',
    '\\r\\n?',
    '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]',
  ].join('|'),
  'g',
)

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ANY = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

/** Text as a terminal shows it, without what it does; line ends are `\n`. */
export const cleanText = (text: string): string =>
  ANY.test(text) ? text.replace(CONTROL, (control) => (control.startsWith('\r') ? '\n' : '')) : text
