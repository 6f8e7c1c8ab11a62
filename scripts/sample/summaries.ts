/** What the model writes when the sample session is compacted: one record after the other, each over the last. */

const record = (sections: [title: string, lines: string[]][]): string =>
  sections
    .map(([title, lines]) => `## ${title}\n${lines.map((line) => `- ${line}`).join('\n')}`)
    .join('\n\n')

const RULES = [
  '"Please do not change anything in config/, the port signs those by hand."',
  '"Keep the public names as they are, and write the test first."',
  '"Never shorten a pilot’s rest, whatever a test wants."',
]

export const SUMMARIES: string[] = [
  record([
    [
      'Request and intent',
      [
        'Take over Harbor from Tomas: read every file under agents/ and say which of them promise something another file has to keep.',
        'Then: work on finding 31-09 (a recalled ship keeps its first berth).',
      ],
    ],
    ['Constraints and instructions', RULES.slice(0, 2)],
    [
      'Decisions',
      [
        'Topic `berth.release`, read by the berth planner, in release 0.10; Tomas writes it, Ines Dahl tries it on the nights of March (notes.md, 14 April 2031).',
        'THRESHOLD stays at 0.72 until October (harbor/scoring.py).',
      ],
    ],
    [
      'Files and code',
      [
        'All twelve files of agents/ were read.',
        'agents/berth_planner.py: MAX_CANDIDATES = 5, TURNAROUND_MIN = 45, class Stay(ship, berth, start, end).',
        'agents/radio_desk.md: posts a second `arrival` after a recall; agents/pilot_roster.py posts `pilot.recall`, urgent.',
        'harbor/mailbox.py: Mailbox.post puts urgent messages first within one topic only.',
        'docs/message-format.md lists twelve topics.',
      ],
    ],
    ['Errors and fixes', ['none']],
    [
      'Open work',
      [
        '`berth.release` in the planner and in the desk’s page.',
        'Recalled jobs are not counted by agents/pilot_roster.py.',
        'crane.ask carries no weight; config/harbor.toml allows 32500 kg, crane 2 may lift 30,480 kg.',
      ],
    ],
    [
      'Current state',
      ['The planner has to listen to berth.release before arrival; nothing has been edited yet.'],
    ],
    ['Next step', ['Write tests/test_release.py, then the handler.']],
  ]),
  record([
    [
      'Request and intent',
      [
        'Take over Harbor from Tomas; three promises cross a file border: berth.release, counted recalls, weights in crane.ask.',
        'The user wants line numbers for every place that knows about rests or hours, then the weights looked at again.',
      ],
    ],
    ['Constraints and instructions', RULES],
    [
      'Decisions',
      [
        'Topic `berth.release`, read by the berth planner, in release 0.10 (notes.md).',
        'PILOT_REST_MIN = 600 in harbor/settings.py is untouched.',
        'THRESHOLD stays at 0.72.',
      ],
    ],
    [
      'Files and code',
      [
        'tests/test_release.py is new: a release takes the promise back; another ship changes nothing.',
        'docs/message-format.md has a row for `berth.release`.',
        'agents/berth_planner.py is not changed yet: an edit of the registration line did not match.',
        'config/harbor.toml repeats the rest as rest_hours = 10; class_b_wind_kn went from 27 to 25 against config/harbor.old.toml.',
        'agents/berth_planner.py: TURNAROUND_MIN = 45; harbor/mailbox.py: MAILBOX_LIMIT = 200.',
      ],
    ],
    [
      'Errors and fixes',
      [
        'edit_file on agents/berth_planner.py found no match for a guessed registration line; read the place before editing.',
      ],
    ],
    [
      'Open work',
      [
        'The `release` handler in agents/berth_planner.py.',
        'Counted recalls in agents/pilot_roster.py.',
        '`max_kg` in crane.ask: cranes 4 to 6 lift 32,500 kg, crane 2 lifts 30,480 kg.',
      ],
    ],
    [
      'Current state',
      ['Rests and hours were listed with their lines; the weights are being read again.'],
    ],
    ['Next step', ['Say what crane.ask has to carry.']],
  ]),
  record([
    [
      'Request and intent',
      [
        'Take over Harbor from Tomas; proposal for 0.10 with three changes; a review of all agents, one question each; the planner is to be finished.',
      ],
    ],
    ['Constraints and instructions', RULES],
    [
      'Decisions',
      [
        '`berth.release` takes a promise back after a recall (finding 31-09).',
        'crane.ask carries `max_kg`; crane 2 is left out above 30,480 kg.',
        'Signatures: Oona Fairley and Ines Dahl for the release, Jon Abara for the recalls, Marit Solano for the weights.',
        'THRESHOLD stays at 0.72; PILOT_REST_MIN = 600 stays; config/ is left alone.',
      ],
    ],
    [
      'Files and code',
      [
        'docs/proposal-0.10.md is new: three rows, two names each.',
        'tests/test_release.py is new and fails until the handler is there.',
        'docs/message-format.md has the row for `berth.release`.',
        'agents/ledger_keeper.py counts lifts, so weights do not change a bill.',
        'agents/berth_planner.py: MAX_CANDIDATES = 5.',
      ],
    ],
    [
      'Errors and fixes',
      ['edit_file on agents/berth_planner.py found no match; the place has to be read first.'],
    ],
    [
      'Open work',
      [
        'The `release` handler in agents/berth_planner.py, eleven lines.',
        'Counted recalls in agents/pilot_roster.py.',
      ],
    ],
    ['Current state', ['All agents are being reviewed, one file at a time.']],
    ['Next step', ['One question for each agent, the three that matter first.']],
  ]),
]
