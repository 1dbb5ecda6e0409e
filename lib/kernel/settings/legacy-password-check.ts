import { day } from '../util/time.ts'

/** What answers whether a password is right at the old system: a Lambda function, or a program on this machine in local mode. */
export type LegacyPasswordTarget =
  | { readonly kind: 'function'; readonly arn: string; readonly region: string; readonly partition: string }
  | { readonly kind: 'local'; readonly url: string }

/** Where the passwords of the old system are checked, and until when. */
export interface LegacyPasswordCheck {
  readonly target: LegacyPasswordTarget
  /** Epoch milliseconds. From then on, the old system is not asked. */
  readonly endsAt: number
}

const functionPattern =
  /^arn:(?<partition>aws|aws-cn|aws-us-gov|aws-eusc):lambda:(?<region>[a-z\d-]{1,40}):\d{12}:function:[\w-]{1,64}(?::[\w$-]{1,128})?$/

/** Reads the target. Returns an error text, to be put after the name of the setting, if it is invalid. */
export const readLegacyPasswordTarget = (text: string): LegacyPasswordTarget | string => {
  const { partition, region } = functionPattern.exec(text)?.groups ?? {}
  if (partition && region) return { kind: 'function', arn: text, region, partition }
  return isLoopbackUrl(text)
    ? { kind: 'local', url: text }
    : 'must be the ARN of a Lambda function, or in local mode a URL such as http://127.0.0.1:4000/check'
}

const isLoopbackUrl = (text: string): boolean => {
  const url = URL.parse(text)
  if (url?.protocol !== 'http:' || url.hostname !== '127.0.0.1') return false
  return `${url.username}${url.password}${url.hash}` === ''
}

/** Reads a day such as `2027-03-31`, and returns its end in UTC. Returns an error text if there is no such day. */
export const readLastDay = (text: string): number | string => {
  const start = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00.000Z`) : undefined
  // Some engines read February 30 as a day of March.
  if (!start || Number.isNaN(start.getTime()) || !start.toISOString().startsWith(text))
    return 'must be a day such as 2027-03-31'
  return start.getTime() + day
}
