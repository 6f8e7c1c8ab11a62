'use client'

import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useActions, useApp } from '@/lib/state/hooks'
import type { ModelFacts as Facts } from '@/lib/state/known-models'
import type { ModelInfo } from '@/lib/state/model'
import { type Fact, withOwn } from '@/lib/state/model-list'
import { Button, IconButton } from '../ui/button'
import { Field, Select, TextInput } from '../ui/field'
import { exact } from '../ui/format'
import { plainName } from '../ui/name'
import { tokens } from './custom-model-dialog'
import {
  PRICE_FIELDS,
  priceText,
  priceTexts,
  readPrice,
  sourceWords,
  THINKING,
  type ThinkingChoice,
  thinkingChoice,
  thinkingWays,
} from './model-facts-form'
import { showDialog } from './screen'

/** What is known of each model, who says so, and a place to say otherwise. */
export function ModelFacts() {
  const models = useApp((state) => state.models)
  const standard = useApp((state) => state.settings.model.id)
  const real = models.filter(({ sources }) => sources)
  const [chosen, setChosen] = useState(standard)
  const model = real.find(({ id }) => id === chosen) ?? real[0]
  return (
    <section aria-label="Limits and prices" className="border-t pt-4">
      <p className="m-0 font-[520]">Limits and prices</p>
      <p className="m-0 mb-2.5 text-sm text-ink2">
        What a model can hold and costs, and who says so. What you write here goes before the rest;
        costs are worked out again with it.
      </p>
      {model ? (
        <>
          <Select
            aria-label="Model whose limits and prices are shown"
            value={model.id}
            onChange={(event) => setChosen(event.target.value)}
          >
            {real.map(({ id, label, sources }) => (
              <option key={id} value={id}>
                {Object.values(sources ?? {}).includes('yours')
                  ? `${plainName(label)} · yours`
                  : plainName(label)}
              </option>
            ))}
          </Select>
          <FactsForm key={model.id} model={model} />
        </>
      ) : (
        <p className="m-0 text-ink2">
          No real models yet.{' '}
          <Button size="sm" onClick={() => showDialog('custom-model')}>
            Another model…
          </Button>
        </p>
      )}
    </section>
  )
}

type Part = { model: ModelInfo; own: Facts; write(change: Facts): void }

function FactsForm({ model }: { model: ModelInfo }) {
  const all = useApp((state) => state.settings.models)
  const { updateSettings } = useActions()
  const own = Object.hasOwn(all, model.id) ? (all[model.id] ?? {}) : {}
  const write = (change: Facts) =>
    void updateSettings({ models: withOwn(all, model.id, { ...own, ...change }) })
  const part = { model, own, write }
  return (
    <div className="mt-3 grid gap-x-3 gap-y-3 wide:grid-cols-2">
      <Limit {...part} fact="contextWindow" label="Context window, tokens" />
      <Limit {...part} fact="maxTokens" label="Longest reply, tokens" />
      <Choice {...part} />
      <Thinking {...part} />
      <PriceFields {...part} />
    </div>
  )
}

/** Who says a figure, and the way back to what was said without the person. */
function SaidBy({ model, fact, write }: Part & { fact: Fact }) {
  const source = model.sources?.[fact]
  if (source !== 'yours') return sourceWords(source)
  return (
    <span className="inline-flex items-center gap-1 font-[520] text-accent-ink">
      {sourceWords(source)}
      <IconButton
        size="sm"
        label={`Take back your ${NAMES[fact]}`}
        onClick={() => write({ [fact]: undefined })}
      >
        <RotateCcw size={11} />
      </IconButton>
    </span>
  )
}

const NAMES: Record<Fact, string> = {
  contextWindow: 'context window',
  maxTokens: 'longest reply',
  images: 'word on images',
  thinking: 'word on thinking',
  price: 'price',
}

function Limit(props: Part & { fact: 'contextWindow' | 'maxTokens'; label: string }) {
  const { model, own, write, fact, label } = props
  const stored = own[fact] === undefined ? '' : String(own[fact])
  const [text, setText] = useState(stored)
  const [before, setBefore] = useState(stored)
  // Taken back beside this field: the field follows.
  if (before !== stored) {
    setBefore(stored)
    setText(stored)
  }
  const value = tokens(text)
  const given = model.given?.[fact]
  return (
    <Field
      label={label}
      about={<SaidBy {...props} />}
      problem={value === null ? 'A whole number, such as 200000 or 200k.' : null}
    >
      {(control) => (
        <TextInput
          {...control}
          inputMode="numeric"
          className="mono"
          value={text}
          placeholder={given === undefined ? 'unknown' : exact(given)}
          onChange={(event) => setText(event.target.value)}
          onBlur={() => value !== null && value !== own[fact] && write({ [fact]: value })}
          onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        />
      )}
    </Field>
  )
}

function Choice(props: Part) {
  const { model, own, write } = props
  const given = model.given?.images
  return (
    <Field label="Sees images" about={<SaidBy {...props} fact="images" />}>
      {(control) => (
        <Select
          {...control}
          value={own.images === undefined ? '' : own.images ? 'yes' : 'no'}
          onChange={({ target }) =>
            write({ images: target.value === '' ? undefined : target.value === 'yes' })
          }
        >
          <option value="">
            {given === undefined ? 'unknown' : `as given: ${given ? 'yes' : 'no'}`}
          </option>
          <option value="yes">yes</option>
          <option value="no">no</option>
        </Select>
      )}
    </Field>
  )
}

function Thinking(props: Part) {
  const { model, own, write } = props
  const given = model.given?.thinking
  const words = (choice: ThinkingChoice) => THINKING.find(([one]) => one === choice)?.[1]
  return (
    <Field label="Thinks" about={<SaidBy {...props} fact="thinking" />}>
      {(control) => (
        <Select
          {...control}
          value={own.thinking ? thinkingChoice(own.thinking) : ''}
          onChange={({ target }) =>
            write({
              thinking:
                target.value === '' ? undefined : thinkingWays(target.value as ThinkingChoice),
            })
          }
        >
          <option value="">
            {given ? `as given: ${words(thinkingChoice(given))}` : 'unknown'}
          </option>
          {THINKING.map(([choice, label]) => (
            <option key={choice} value={choice}>
              {label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

function PriceFields(props: Part) {
  const { model, own, write } = props
  const stored = JSON.stringify(own.price ?? null)
  const [texts, setTexts] = useState(priceTexts(own.price))
  const [before, setBefore] = useState(stored)
  if (before !== stored) {
    setBefore(stored)
    setTexts(priceTexts(own.price))
  }
  const given = model.given?.price
  const price = readPrice(texts, given)
  const keep = () => {
    if (price !== null && JSON.stringify(price ?? null) !== stored) write({ price })
  }
  return (
    <fieldset
      className="m-0 grid grid-cols-2 gap-x-3 gap-y-2 border-0 p-0 wide:col-span-2 wide:grid-cols-4"
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && keep()}
    >
      <legend className="mb-1 p-0 font-[520]">Price, dollars per million tokens</legend>
      {PRICE_FIELDS.map(([field, label]) => (
        <Field key={field} label={label}>
          {(control) => (
            <TextInput
              {...control}
              inputMode="decimal"
              className="mono"
              value={texts[field]}
              placeholder={given ? priceText(given[field]) : 'unknown'}
              onChange={(event) => setTexts({ ...texts, [field]: event.target.value })}
              onKeyDown={(event) => event.key === 'Enter' && keep()}
            />
          )}
        </Field>
      ))}
      <p className="col-span-full m-0 text-sm text-ink2" role="status">
        {price === null ? (
          <span className="text-err-ink">
            Both In and Out, as numbers such as 0.25. They are kept once they are complete.
          </span>
        ) : (
          <SaidBy {...props} fact="price" />
        )}
      </p>
    </fieldset>
  )
}
