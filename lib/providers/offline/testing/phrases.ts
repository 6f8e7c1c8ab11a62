/** Requests in many words, and what the answer to each has to show. */

import type { World } from './world'

export type Phrase = {
  say: (world: World) => string
  least: number
  shows: (world: World) => string | RegExp
}
export const all = (w: World) =>
  new RegExp(w.paths.map((path) => path.replace(/[/.]/g, '\\$&')).join('[\\s\\S]*'))
export const PHRASES: Phrase[] = [
  { say: (w) => `read every file in ${w.folder}/ one after the other`, least: 5, shows: all },
  {
    say: (w) => `Please go through all files in the ${w.folder} folder, one by one.`,
    least: 5,
    shows: all,
  },
  { say: (w) => `look at each document under \`${w.folder}/\` in turn`, least: 5, shows: all },
  { say: (w) => `summarise every file in ${w.folder}`, least: 5, shows: all },
  { say: (w) => `read all the files in ${w.folder}/ two at a time`, least: 5, shows: all },
  {
    say: (w) => `where is ${w.constant} defined?`,
    least: 1,
    shows: (w) => `\`${w.script}:3\`: \`${w.constant} = ${w.value}\``,
  },
  {
    say: (w) => `find the definition of \`${w.constant}\``,
    least: 1,
    shows: (w) => `\`${w.script}:3\``,
  },
  {
    say: (w) => `What is the value of ${w.constant}?`,
    least: 1,
    shows: (w) => `${w.constant} = ${w.value}`,
  },
  { say: (w) => `which file defines ${w.constant}`, least: 1, shows: (w) => w.script },
  { say: (w) => `where is ${w.constant} used?`, least: 2, shows: (w) => `\`${w.script}:7\`` },
  {
    say: (w) => `how many times does ${w.constant} occur?`,
    least: 1,
    shows: () => 'stands in 2 lines',
  },
  { say: (w) => `which files mention ${w.topic}?`, least: 1, shows: () => '`notes.md:3`' },
  { say: (w) => `search for "${w.topic}"`, least: 1, shows: () => '`notes.md:3`' },
  {
    say: (w) => `find all mentions of ${w.topic.toUpperCase()}`,
    least: 1,
    shows: () => '`notes.md:3`',
  },
  { say: (w) => `what does notes.md say about ${w.topic}?`, least: 1, shows: () => '`notes.md:3`' },
  { say: (w) => `where is ${w.unused} defined?`, least: 0, shows: () => 'no definition' },
  {
    say: () => 'what changed between conf/old.toml and conf/new.toml?',
    least: 2,
    shows: (w) => `\`conf/new.toml:2\`: \`limit = ${w.value + 1}\``,
  },
  {
    say: () => 'compare old.toml with new.toml',
    least: 2,
    shows: () => '`conf/new.toml:4`: `extra = true`',
  },
  { say: () => 'summarise notes.md', least: 1, shows: () => 'picked by rule' },
  { say: () => 'give me the gist of conf/new.toml', least: 1, shows: () => 'conf/new.toml' },
  { say: (w) => `read ${w.script}`, least: 2, shows: (w) => `**${w.script}** (7 lines)` },
  { say: (w) => `show me lines 3-3 of ${w.script}`, least: 1, shows: (w) => `\`${w.script}:3\`` },
  {
    say: () => 'read old.toml and notes.md',
    least: 2,
    shows: () => /conf\/old\.toml[\s\S]*notes\.md/,
  },
  { say: (w) => `list the files in ${w.folder}/`, least: 0, shows: (w) => w.paths[0]! },
  { say: () => 'run `cat conf/new.toml | wc -l`', least: 0, shows: () => 'printed' },
  { say: () => 'what did notes.md say?', least: 1, shows: () => 'notes.md' },
  { say: (w) => `why is the ${w.topic} kept?`, least: 1, shows: () => '`notes.md:3`' },
]

const every = Array.from({ length: 60 }, (_, at) => at + 1)
export const MODES = {
  'all in view': {},
  'older results replaced by placeholders': { micro: 3 },
  'placeholders, and a summary now and then': { micro: 3, compactAfter: [4, 7, 11] },
  'a summary after every step': { micro: 1, compactAfter: every },
}

export const asPattern = (shows: string | RegExp): RegExp =>
  typeof shows === 'string' ? new RegExp(shows.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')) : shows
