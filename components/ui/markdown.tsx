'use client'

import { Component, type ComponentProps, isValidElement, memo, type ReactNode } from 'react'
import Text, { type Components } from 'react-markdown'
import gfm from 'remark-gfm'
import { CopyButton } from './copy-button'
import { LongText } from './long-text'
import { isTooWild } from './markdown-limits'

const SAFE = /^(https?:\/\/|mailto:)/i

/** Only addresses a person can leave to on purpose. */
const safeUrl = (url: string): string => (SAFE.test(url) ? url : '')

const plain = (node: ReactNode): string => {
  if (typeof node === 'string' || typeof node === 'number') return String(node)
  if (Array.isArray(node)) return node.map(plain).join('')
  return isValidElement<{ children?: ReactNode }>(node) ? plain(node.props.children) : ''
}

const language = (node: ReactNode): string | undefined =>
  isValidElement<{ className?: string }>(node)
    ? /language-([\w+-]+)/.exec(node.props.className ?? '')?.[1]
    : undefined

function Link({ href, children }: { href?: string | undefined; children?: ReactNode }) {
  if (!href) return <span>{children}</span>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}

const components: Components = {
  a: ({ href, children }) => <Link href={href}>{children}</Link>,
  // Never loaded: an image in a model's text can carry what it read to anyone's server.
  img: ({ src, alt }) => (
    <Link href={typeof src === 'string' ? src : undefined}>image: {alt || 'no description'}</Link>
  ),
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  table: ({ children }) => (
    <div className="overflow-x-auto">
      <table>{children}</table>
    </div>
  ),
  input: ({ checked }: ComponentProps<'input'>) => (
    <input type="checkbox" checked={checked ?? false} readOnly tabIndex={-1} />
  ),
}

function CodeBlock({ children }: { children?: ReactNode }) {
  const lang = language(children)
  return (
    <div className="group/code relative">
      <pre>{children}</pre>
      <div className="absolute right-1 top-1 flex items-center gap-1 opacity-0 group-focus-within/code:opacity-100 group-hover/code:opacity-100">
        {lang ? <span className="mono text-ink3">{lang}</span> : null}
        <CopyButton
          label="Copy code"
          className="bg-panel"
          text={() => plain(children).replace(/\n$/, '')}
        />
      </div>
    </div>
  )
}

/** A text the reader of Markdown fails at is shown as it stands: one message must not take the page with it. */
class Verbatim extends Component<{ text: string; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }
  static getDerivedStateFromError = () => ({ failed: true })
  override render() {
    return this.state.failed ? <LongText text={this.props.text} /> : this.props.children
  }
}

/** Markdown without raw HTML; styled by `.md` in globals.css. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  if (isTooWild(text)) return <LongText text={text} />
  return (
    <Verbatim text={text}>
      <div className="md">
        <Text remarkPlugins={[gfm]} components={components} urlTransform={safeUrl} skipHtml={false}>
          {text}
        </Text>
      </div>
    </Verbatim>
  )
})
