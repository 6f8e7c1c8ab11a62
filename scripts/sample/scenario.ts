/**
 * What is said in the shipped sample session: people and a model work on the sample workspace until
 * three summaries lie over one another. The words are fixed; every tool result is what the real tool
 * answers on the real files.
 */

import type { JsonObject } from '../../lib/core/message'

export type Call = [tool: string, input: JsonObject]
export type Step = { think?: string; say?: string; calls: Call[] }
export type Turn = {
  ask: string
  steps: Step[]
  answer: string /** Minutes until somebody types this. */
  after: number
}
export type Act =
  | ({ kind: 'turn' } & Turn)
  /** The automatic summary that falls due next answers like this. */
  | { kind: 'compact'; focus: string; outcome: 'done' | 'cancelled' | 'failed' }
  | { kind: 'pin'; turn: number }
  /** The person chooses when old results are replaced by a line. */
  | { kind: 'micro'; when: 'off' | 'worthwhile' }
  | { kind: 'title'; title: string }

const read = (path: string, more: JsonObject = {}): Call => ['read_file', { path, ...more }]
const search = (query: string, more: JsonObject = {}): Call => ['search_files', { query, ...more }]
const bash = (command: string): Call => ['bash', { command }]
const list = (path: string): Call => ['list_files', { path }]
const edit = (path: string, find: string, replace: string): Call => [
  'edit_file',
  { path, old_text: find, new_text: replace },
]
const write = (path: string, content: string): Call => ['write_file', { path, content }]

/** One step that reads one file, with a remark. */
const look = (say: string, path: string, more: JsonObject = {}): Step => ({
  say,
  calls: [read(path, more)],
})
const run = (say: string, command: string): Step => ({ say, calls: [bash(command)] })

const AGENTS = [
  'berth_planner.py',
  'crane_dispatch.py',
  'customs_clerk.py',
  'ledger_keeper.py',
  'pilot_roster.py',
  'tide_watcher.py',
  'weather_scout.py',
  'lantern_review.md',
  'night_supervisor.md',
  'quay_warden.md',
  'radio_desk.md',
  'tug_broker.md',
]

/** Reads every agent, one a step; `remark` says what is looked for. */
const everyAgent = (remark: (name: string) => string): Step[] =>
  AGENTS.map((name) => look(remark(name), `agents/${name}`))

const turns: Turn[] = [
  {
    after: 0,
    ask: 'I take over Harbor from Tomas next week. Read every file under agents/ and tell me which of them promise something that another file has to keep. Please do not change anything in config/, the port signs those by hand.',
    steps: [
      {
        think:
          'First the listing, then each agent in turn. The user wants cross-file promises, so topics matter more than code style.',
        say: 'I will look at the whole tree first, then read the twelve agents one after the other.',
        calls: [list('.'), read('README.md')],
      },
      look(
        'The message format says who may read what, so it comes before the agents.',
        'docs/message-format.md',
      ),
      ...everyAgent((name) => `Next: agents/${name}.`),
    ],
    answer:
      'Three promises cross a file border.\n\n1. `agents/radio_desk.md` posts a second `arrival` after a recall; `agents/berth_planner.py` does not take the first promise back. That is finding 31-09 in `agents/lantern_review.md`.\n2. `agents/pilot_roster.py` drops a recalled job from its list, so it is not counted; the ledger and the monthly hours rely on a person doing it.\n3. `agents/crane_dispatch.py` is asked for lifts, never for weights, while `config/harbor.toml` allows 32,500 kg and crane 2 may lift 30,480 kg.\n\nI have not touched `config/`.',
  },
  {
    after: 14,
    ask: 'Good. Start with 31-09. What exactly would have to happen in the planner, and who has to agree? Show me the decision.',
    steps: [
      {
        say: 'The decision should be in the notes of the meeting.',
        calls: [read('notes.md'), search('berth.release')],
      },
      look('Now the planner again, the part that keeps promises.', 'agents/berth_planner.py'),
      look('And the desk, for what it posts and when.', 'agents/radio_desk.md'),
      look('The roster is what posts the recall.', 'agents/pilot_roster.py'),
      look('The test shows how a plan is made today.', 'tests/test_berth_planner.py'),
      look('Mailbox order matters: a release must overtake an arrival.', 'harbor/mailbox.py'),
      run(
        'Who else keeps a promise in a list? The three with state, side by side.',
        'cat agents/berth_planner.py agents/pilot_roster.py agents/tide_watcher.py',
      ),
      look('And the registry, for the order in which agents get their turn.', 'harbor/registry.py'),
    ],
    answer:
      'The decision is in `notes.md`, 14 April 2031: a topic `berth.release`, read by the berth planner, in release 0.10. Tomas writes it, Ines Dahl tries it on the nights of March.\n\nIn the planner: a handler that removes the `Stay` of that ship, and a listener for the topic. In the desk’s page: one line that posts the release before the second `arrival`. `Mailbox.post` puts urgent messages first only within one topic, so the planner has to listen to `berth.release` **before** `arrival`.',
  },
  {
    after: 31,
    ask: 'Do it. Keep the public names as they are, and write the test first. Never shorten a pilot’s rest, whatever a test wants.',
    steps: [
      look(
        'Before I write the test I need the exact shape of a promise.',
        'agents/berth_planner.py',
      ),
      {
        think:
          'Write the failing test, then the handler. The listener order matters, so the test should go through run_round or call the handler directly. Direct call is simpler and fits the other tests.',
        say: 'The test first: a released ship must not be searched around.',
        calls: [
          write(
            'tests/test_release.py',
            'import unittest\n\nfrom agents.berth_planner import Berth, Planner, Stay\nfrom harbor.mailbox import Mailbox, Message\n\n\nclass ReleaseTest(unittest.TestCase):\n    def test_a_release_takes_the_promise_back(self):\n        planner = Planner([Berth(2, 8.0, 200, 1)])\n        planner.stays.append(Stay("Sorrel", 2, 600, 900))\n        planner.release(Message("berth.release", "radio-desk", {"ship": "Sorrel"}, 500), Mailbox())\n        self.assertEqual(planner.stays, [])\n\n    def test_a_release_of_another_ship_changes_nothing(self):\n        planner = Planner([Berth(2, 8.0, 200, 1)])\n        stay = Stay("Sorrel", 2, 600, 900)\n        planner.stays.append(stay)\n        planner.release(Message("berth.release", "radio-desk", {"ship": "Thrift"}, 500), Mailbox())\n        self.assertEqual(planner.stays, [stay])\n',
          ),
        ],
      },
      run(
        'What does the planner call its list of promises?',
        "grep -n 'stays\\|promises\\|Stay(' agents/berth_planner.py",
      ),
      run(
        'And how are the listeners registered?',
        "grep -n -A14 'def register\\|@agent' agents/berth_planner.py",
      ),
      {
        say: 'This edit guesses at the registration line; if it is not there the tool will say so.',
        calls: [
          edit(
            'agents/berth_planner.py',
            'listens=("tide.window", "arrival", "nothing")',
            'listens=("berth.release", "tide.window", "arrival")',
          ),
        ],
      },
      look('It was a guess too many. The end of the file, then.', 'agents/berth_planner.py', {
        from: 100,
      }),
      {
        say: 'The desk’s page must say when the release is posted.',
        calls: [read('agents/radio_desk.md')],
      },
      {
        say: 'The format table gets its row.',
        calls: [
          edit(
            'docs/message-format.md',
            '| `tide.ask` | berth planner |',
            '| `berth.release` | radio desk | berth planner | ship |\n| `tide.ask` | berth planner |',
          ),
        ],
      },
      look('The overview lists the topics too.', 'docs/overview.md'),
      run('Everything that names the topic now:', "grep -rn 'berth.release' . | head -20"),
    ],
    answer:
      'The test is in `tests/test_release.py` and the row in `docs/message-format.md`. The handler itself is not in yet: my first edit of `agents/berth_planner.py` did not match, and I would rather show you the place than guess twice. `pilot_rest` is untouched: `PILOT_REST_MIN = 600` in `harbor/settings.py` stays as the contract says.',
  },
  {
    after: 9,
    ask: 'Then show me every place that knows about rests or hours before you go on. I want line numbers.',
    steps: [
      {
        say: 'Three searches at once.',
        calls: [search('PILOT_REST_MIN'), search('rest'), search('hours')],
      },
      look('The roster in full, since most of the hits are there.', 'agents/pilot_roster.py'),
      look(
        'The supervisor may grant exceptions, so that page counts too.',
        'agents/night_supervisor.md',
      ),
      run(
        'The whole of the paper agents in one go, to be sure nothing hides in a table.',
        'cat agents/night_supervisor.md agents/quay_warden.md agents/tug_broker.md',
      ),
      look('The runbook names the contract.', 'docs/runbook.md'),
      run(
        'The Python side of hours, in full:',
        'cat agents/pilot_roster.py harbor/clock.py agents/weather_scout.py tests/test_berth_planner.py',
      ),
      run(
        'And the settings beside the file the port edits:',
        'cat harbor/settings.py config/harbor.toml config/harbor.old.toml',
      ),
      ...everyAgent((name) => `agents/${name}, for hours and rests.`),
    ],
    answer:
      'Rests are kept in one place: `harbor/settings.py`, `PILOT_REST_MIN = 600`, used by `agents/pilot_roster.py`. `config/harbor.toml` repeats it as `rest_hours = 10`, and nobody reads that line. The class B limit did change: `class_b_wind_kn` went from 27 to 25 between `config/harbor.old.toml` and `config/harbor.toml`.',
  },
  {
    after: 22,
    ask: 'Now the weights. Which crane may lift what, and what would crane.ask have to carry? Read what you need again, I do not trust memory on this one.',
    steps: [
      look('Dispatch first.', 'agents/crane_dispatch.py'),
      look('The clerk knows the limit of a box.', 'agents/customs_clerk.py'),
      look('The warden looks by hand until then.', 'agents/quay_warden.md'),
      look('The notes have the figures of the cranes.', 'notes.md'),
      run('Berths and their cranes:', 'cat data/berths.csv && cat data/vessels.json'),
      { say: 'Who posts `crane.ask` at all?', calls: [search('crane.ask'), search('crane.slot')] },
      look(
        'The ledger charges by lift, so a weight must not change the bill.',
        'agents/ledger_keeper.py',
      ),
      run(
        'All the Python agents side by side, for the names of the fields.',
        'cat agents/crane_dispatch.py agents/customs_clerk.py agents/ledger_keeper.py',
      ),
    ],
    answer:
      'Cranes 4 to 6 are certified for 32,500 kg, crane 2 for 30,480 kg (`notes.md`, Customs). `crane.ask` carries ship, berth, lifts and length_m; it needs `max_kg`, the heaviest lift. Dispatch would leave crane 2 out when `max_kg` is above 30,480. The bill stays as it is: `agents/ledger_keeper.py` counts lifts.',
  },
  {
    after: 47,
    ask: 'Write that down as docs/proposal-0.10.md, with the three changes and who signs each. Short.',
    steps: [
      look('Signatures are described in the review’s page.', 'agents/lantern_review.md'),
      run(
        'Who signs what, in every page that mentions a signature:',
        "grep -rn -i -B1 -A2 'sign' agents docs notes.md",
      ),
      run(
        'The paper agents in full, for the names of the people.',
        'cat agents/lantern_review.md agents/radio_desk.md agents/night_supervisor.md',
      ),
      look('The docs that the proposal will stand beside.', 'docs/runbook.md'),
      look('And the overview.', 'docs/overview.md'),
      look('One more look at how the changelog words things.', 'CHANGELOG.md'),
      {
        say: 'The proposal, one screen long.',
        calls: [
          write(
            'docs/proposal-0.10.md',
            '# Proposal for 0.10\n\n| Change | Files | Signed by |\n|---|---|---|\n| `berth.release` takes a promise back after a recall (finding 31-09) | agents/berth_planner.py, agents/radio_desk.md, docs/message-format.md, tests/test_release.py | Oona Fairley, Ines Dahl |\n| Recalled jobs are counted by the roster | agents/pilot_roster.py | Jon Abara, Oona Fairley |\n| `crane.ask` carries `max_kg`; crane 2 is left out above 30,480 kg | agents/crane_dispatch.py, docs/message-format.md | Marit Solano, Oona Fairley |\n\nNot part of it: anything in config/, and THRESHOLD, which is looked at again in October.\n',
          ),
        ],
      },
      run('Read back as written:', 'cat docs/proposal-0.10.md && wc -l docs/*.md'),
    ],
    answer:
      'It is in `docs/proposal-0.10.md`: three rows, each with two names. `THRESHOLD` stays at 0.72 and `config/` is left alone.',
  },
  {
    after: 18,
    ask: 'Go through all agents once more as a reviewer would: which sentence in each would you ask about? One file at a time please.',
    steps: [
      ...everyAgent((name) => `Reviewing agents/${name}.`),
      look('The tests are the last word on what is promised.', 'tests/test_scoring.py'),
    ],
    answer:
      'One question for each, the three that matter first.\n\n- `agents/berth_planner.py`: `MAX_CANDIDATES = 5` is justified by the distance part of the score, yet nine berths are scored nowhere.\n- `agents/pilot_roster.py`: a recalled job “is not in the list of jobs any more and so is not counted”. Says who?\n- `agents/crane_dispatch.py`: cranes cannot pass each other; what happens to a queue when crane 2 is left out?\n\nThe others read well. I would only ask the desk how often a second `arrival` was posted in March.',
  },
  {
    after: 65,
    ask: 'What did the desk’s page say about a recalled ship, word for word?',
    steps: [
      {
        say: 'The exact words are no longer in front of me, so I look them up.',
        calls: [['recall_search', { query: 'recalled ships berth' }]],
      },
      {
        say: 'And the page itself, to compare.',
        calls: [
          search('recall', { path: 'agents' }),
          read('agents/radio_desk.md', { from: 40, to: 60 }),
        ],
      },
    ],
    answer:
      'Word for word, from `agents/radio_desk.md`: after a recall the ship is treated as newly arrived and the desk posts a second `arrival` with the new time; the planner searches a gap behind the ship’s own earlier stay, “which is why recalled ships often end up one berth” further than they asked for.',
  },
  {
    after: 12,
    ask: 'Fine. Finish the planner now, and show me the diff in words.',
    steps: [
      look('The place once more, with line numbers.', 'agents/berth_planner.py', { from: 60 }),
      run('How do the handlers of the others look?', "grep -n -B2 -A12 'steps = {' agents/*.py"),
      look(
        'The scout listens to one topic only; the roster to three. The roster is the better model.',
        'agents/pilot_roster.py',
        { from: 100 },
      ),
      {
        say: 'A note where the next reader will look for it.',
        calls: [
          write(
            'docs/release-topic.md',
            '# berth.release\n\nPosted by the radio desk before the second `arrival` of a recalled ship. The planner drops the stay of\nthat ship and looks for a berth as if it had never been promised one. Nothing is charged for a\npromise that was taken back.\n',
          ),
        ],
      },
      run(
        'What changed so far:',
        'wc -l docs/*.md tests/*.py && cat tests/test_release.py docs/release-topic.md',
      ),
      ...everyAgent((name) => `A last look for \`arrival\` in agents/${name}.`),
    ],
    answer:
      'In words: `tests/test_release.py` is new and fails until the handler is there; `docs/message-format.md` has one row more; `docs/release-topic.md` and `docs/proposal-0.10.md` are new. The planner needs eleven lines, which I would add after the signatures: a `release` handler and `berth.release` as the first topic it listens to.',
  },
]

const act = (turn: Turn): Act => ({ kind: 'turn', ...turn })

export const TITLE = 'Take over Harbor: promises between agents'

export const ACTS: Act[] = [
  { kind: 'micro', when: 'off' },
  act(turns[0] as Turn),
  { kind: 'title', title: TITLE },
  { kind: 'pin', turn: 0 },
  act(turns[1] as Turn),
  act(turns[2] as Turn),
  { kind: 'compact', focus: 'what the test expects', outcome: 'cancelled' },
  act(turns[3] as Turn),
  { kind: 'compact', focus: 'hours and rests, with line numbers', outcome: 'failed' },
  act(turns[4] as Turn),
  act(turns[5] as Turn),
  { kind: 'micro', when: 'worthwhile' },
  act(turns[6] as Turn),
  act(turns[7] as Turn),
  act(turns[8] as Turn),
]
