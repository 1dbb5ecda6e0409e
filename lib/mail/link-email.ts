import { renderEmail } from './layout.ts'
import type { Mail } from './mail.ts'
import { toOneLine } from './one-line.ts'

export interface LinkFacts {
  readonly to: string
  readonly sharer: {
    /** What it calls itself. */
    readonly name: string
    /** What others have given it and it can't change: its address, or its username. */
    readonly account: string
  }
  /** What it wrote, if anything. */
  readonly subject: string | undefined
  readonly text: string | undefined
  /** Names of what the link opens. */
  readonly objects: readonly string[]
  readonly url: string
  /** Where the service is. */
  readonly publicUrl: string
  /** Epoch milliseconds. */
  readonly expiresAt: number | null
  readonly viewsLeft: number | null
  readonly asksForPassword: boolean
  readonly asksForSignIn: boolean
}

/**
 * The mail with a link that somebody shares. It speaks with two voices: heading and facts are ours, and what the
 * sharer wrote is quoted. So a subject made up to look like a message of the product still begins with who wrote it.
 */
export const renderLinkEmail = (facts: LinkFacts): Mail => {
  const name = toOneLine(facts.sharer.name, 60)
  const heading = `${name} shared ${what(facts)} with you`
  const { host } = new URL(facts.publicUrl)
  return renderEmail({
    to: facts.to,
    subject: facts.subject === undefined ? heading : `${name}: ${toOneLine(facts.subject, 200)}`,
    heading,
    before: [`Sent on behalf of ${toOneLine(facts.sharer.account, 255)}, who has an account at ${host}.`],
    quote: facts.text === undefined ? undefined : { by: name, text: facts.text },
    button: { label: 'Open the link', url: facts.url },
    after: [
      conditions(facts, name).join(' '),
      `If you don’t know ${name}, or did not expect this, you need not do anything.`,
    ],
  })
}

/** Whoever has to prove who they are before they see anything isn't told by the mail what there is. */
const what = ({ objects, asksForPassword, asksForSignIn }: LinkFacts): string => {
  const [only = '', ...others] = objects
  if (objects.length === 0 || asksForPassword || asksForSignIn) return 'something'
  return others.length > 0 ? `${objects.length} items` : `“${toOneLine(only, 80).replaceAll(/[“”]/g, '"')}”`
}

const conditions = (facts: LinkFacts, name: string): readonly string[] => [
  ...(facts.asksForPassword
    ? [`It asks for a password, which is not in this mail: ${name} tells it to you.`]
    : []),
  facts.asksForSignIn
    ? 'You have to sign in to open it.'
    : `Whoever has the link${facts.asksForPassword ? ' and its password' : ''} can open it, so please keep ${
        facts.asksForPassword ? 'both' : 'it'
      } to yourself.`,
  ...(facts.viewsLeft === null ? [] : [`It can be opened ${times(facts.viewsLeft)}.`]),
  ...(facts.expiresAt === null ? [] : [`It works until ${dateText(facts.expiresAt)} UTC.`]),
]

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)

const dateText = (ms: number): string =>
  new Date(ms).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
