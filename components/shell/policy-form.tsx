'use client'

import type { Policy } from '@/lib/core/event'
import { PRESETS, thresholdOf } from '@/lib/core/policy'
import { Field, Select, TextInput } from '../ui/field'
import { exact } from '../ui/format'
import { Segmented } from '../ui/tabs'

const ABOUT: Record<Policy['preset'], string> = {
  standard:
    'Waits until it pays: old tool results are shortened only when that frees more than it costs in cache, and a recent tail always stays.',
  teaching:
    'Shows every layer early: old tool results are shortened before each request, summaries come at 50,000 tokens and keep only the newest exchange.',
  custom: 'Your own numbers.',
}

/** Reads a whole number, or null when the field is empty or wrong. */
const whole = (text: string): number | null => {
  const value = Number(text.replace(/[\s,_]/g, ''))
  return text.trim() !== '' && Number.isInteger(value) && value >= 0 ? value : null
}

/** What is absent is left out: the log takes no `undefined` (L5). */
const tidy = ({
  summaryModel,
  askFirst,
  threshold: { ratio, absolute },
  ...rest
}: Policy): Policy => ({
  ...rest,
  threshold: { ratio, ...(absolute === undefined ? {} : { absolute }) },
  ...(summaryModel === undefined ? {} : { summaryModel }),
  ...(askFirst && { askFirst }),
})

const percentOf = ({ ratio }: Policy['threshold']): string => `${Math.round(ratio * 100)}%`

/** Where the threshold comes from, so that its number makes sense beside the window's. */
function reasonOf(
  { threshold }: Policy,
  above: number,
  window: number | undefined,
  maxTokens: number,
): string {
  if (above === threshold.absolute || window === undefined) return ', the fixed limit'
  const room = Math.max(0, window - maxTokens)
  return `: ${percentOf(threshold)} of the ${exact(room)} that its window of ${exact(window)} leaves beside a reply of up to ${exact(maxTokens)}`
}

/** Preset choice with its numbers explained for a model of this size. */
export function PolicyForm({
  policy,
  window,
  maxTokens,
  onChange: take,
}: {
  policy: Policy
  /** Context window and reserved reply of the model in use, tokens. */
  window: number | undefined
  maxTokens: number
  onChange(policy: Policy): void
}) {
  const threshold = thresholdOf(policy, window, maxTokens)
  const onChange = (next: Policy) => take(tidy(next))
  return (
    <div className="flex flex-col gap-3">
      <Segmented
        label="Preset"
        value={policy.preset}
        options={[
          { value: 'standard', label: 'Standard' },
          { value: 'teaching', label: 'Teaching' },
          { value: 'custom', label: 'Custom' },
        ]}
        onChange={(preset) =>
          onChange(
            preset === 'custom'
              ? { ...policy, preset }
              : {
                  ...PRESETS[preset],
                  ...(policy.summaryModel !== undefined && { summaryModel: policy.summaryModel }),
                  ...(policy.askFirst && { askFirst: policy.askFirst }),
                },
          )
        }
      />
      <p className="m-0 text-ink2">{ABOUT[policy.preset]}</p>
      {policy.preset === 'custom' ? (
        <CustomPolicy policy={policy} onChange={onChange} />
      ) : (
        <PolicyFacts policy={policy} />
      )}
      <p className="m-0 rounded-md bg-hover px-2.5 py-1.5">
        {threshold === undefined
          ? 'This model’s window is unknown, so compaction starts only when the provider refuses a request. Set a threshold or the window to change that.'
          : `With this model: compacts above ${exact(threshold)} tokens${reasonOf(policy, threshold, window, maxTokens)}.`}
      </p>
      <AskFirst policy={policy} onChange={onChange} />
    </div>
  )
}

function AskFirst({ policy, onChange }: { policy: Policy; onChange(policy: Policy): void }) {
  const { askFirst, ...rest } = policy
  return (
    <label className="flex items-start gap-2">
      <input
        type="checkbox"
        className="mt-0.75 accent-(--accent)"
        checked={Boolean(askFirst)}
        onChange={(event) => onChange(event.target.checked ? { ...rest, askFirst: true } : rest)}
      />
      <span>
        Automatic compactions ask first
        <span className="block text-sm text-ink2">
          Their summary waits for your review and nothing is replaced until you commit it. A request
          the provider refuses as too large does not wait.
        </span>
      </span>
    </label>
  )
}

function PolicyFacts({ policy }: { policy: Policy }) {
  const { micro, prune, threshold } = policy
  const rows: [string, string][] = [
    [
      'Old tool results',
      micro.when === 'always'
        ? `before every request, all but the newest ${micro.keepRecent} longer than ${micro.minChars} characters`
        : `when it frees enough, all but the newest ${micro.keepRecent} longer than ${micro.minChars} characters`,
    ],
    [
      'Long results',
      `under pressure, above ${exact(prune.thresholdChars)} characters: first ${exact(prune.headChars)} and last ${exact(prune.tailChars)} stay`,
    ],
    [
      'Summary',
      `at ${percentOf(threshold)} of the room beside the reply${threshold.absolute ? `, or at ${exact(threshold.absolute)} tokens where that is less` : ''}`,
    ],
    [
      'Kept as it is',
      policy.keepTail === 'recent' ? 'the recent tail' : 'the newest exchange only',
    ],
    [
      'Worth it when',
      `it saves ${Math.round(policy.minGain.ratio * 100)}% and ${exact(policy.minGain.tokens)} tokens`,
    ],
  ]
  return (
    <dl className="m-0 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink2">{name}</dt>
          <dd className="m-0">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function CustomPolicy({ policy, onChange }: { policy: Policy; onChange(policy: Policy): void }) {
  const { micro, threshold } = policy
  const number = (value: number | undefined, set: (value: number) => void, min = 0) => ({
    inputMode: 'numeric' as const,
    defaultValue: value === undefined ? '' : String(value),
    onBlur: (event: { target: { value: string } }) => {
      const next = whole(event.target.value)
      if (next !== null && next >= min) set(next)
    },
  })
  return (
    <div className="grid gap-3 wide:grid-cols-2">
      <Field
        label="Summary at, % of the room"
        about="The room is what the window leaves beside the reply."
      >
        {(control) => (
          <TextInput
            {...control}
            {...number(
              Math.round(threshold.ratio * 100),
              (value) =>
                onChange({
                  ...policy,
                  threshold: { ...threshold, ratio: Math.min(100, value) / 100 },
                }),
              10,
            )}
          />
        )}
      </Field>
      <Field label="Summary at, tokens" about="Whichever is lower counts. Empty: no fixed limit.">
        {(control) => (
          <TextInput
            {...control}
            inputMode="numeric"
            defaultValue={threshold.absolute ?? ''}
            onBlur={(event) => {
              const absolute = whole(event.target.value) || undefined
              onChange({ ...policy, threshold: { ratio: threshold.ratio, absolute } })
            }}
          />
        )}
      </Field>
      <Field label="Shorten old tool results">
        {(control) => (
          <Select
            {...control}
            value={micro.when}
            onChange={(event) =>
              onChange({
                ...policy,
                micro: { ...micro, when: event.target.value as Policy['micro']['when'] },
              })
            }
          >
            <option value="off">never</option>
            <option value="worthwhile">when it frees enough</option>
            <option value="always">before every request</option>
          </Select>
        )}
      </Field>
      <Field label="Newest results kept whole">
        {(control) => (
          <TextInput
            {...control}
            {...number(micro.keepRecent, (keepRecent) =>
              onChange({ ...policy, micro: { ...micro, keepRecent } }),
            )}
          />
        )}
      </Field>
      <Field label="Keep after a summary">
        {(control) => (
          <Select
            {...control}
            value={policy.keepTail}
            onChange={(event) =>
              onChange({ ...policy, keepTail: event.target.value as Policy['keepTail'] })
            }
          >
            <option value="recent">the recent tail</option>
            <option value="newest-unit">the newest exchange only</option>
          </Select>
        )}
      </Field>
      <Field label="Model for summaries" about="Empty: the session’s own.">
        {(control) => (
          <TextInput
            {...control}
            defaultValue={policy.summaryModel ?? ''}
            onBlur={(event) =>
              onChange({ ...policy, summaryModel: event.target.value.trim() || undefined })
            }
          />
        )}
      </Field>
    </div>
  )
}
