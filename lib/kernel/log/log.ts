import type { Config } from '../settings/config.ts'
import { type LogLevel, logLevels } from '../settings/service-settings.ts'
import { credentialPattern, prefixPattern } from '../util/credential-prefixes.ts'
import { listPresent } from '../util/object-fields.ts'
import { type MetricName, metricDimension, metricNamespace } from './metrics.ts'

export type LogFields = Readonly<Record<string, unknown>>

export interface Log {
  debug(event: string, fields?: LogFields): void
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
}

const secretName = /pass|secret|token|ticket|otp|totp|cookie|authorization|credential|key$|session_key|hash/i
/** A whole credential, or the beginning of one that the end of a text or an ellipsis cuts off. */
const credential = `${credentialPattern}[0-9A-Za-z]*|${prefixPattern}_[0-9A-Za-z]{8,}(?=$|…|\\.{3})`
const secretValue = new RegExp(
  `\\b(?:${credential})|\\beyJ[\\w-]{8,}\\.[\\w-]+\\.[\\w-]*|\\$2[aby]\\$\\d\\d\\$[./0-9A-Za-z]{10,}|Bearer\\s+\\S+`,
  'g',
)

/** A text that the log keeps as it is, although a part of it may look like a credential by chance. */
export class PublicText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/**
 * Creates a log that writes one JSON line per event. Values under a name that suggests a secret are removed. Values
 * that look like a credential of this service or a password hash are masked anywhere but in a `PublicText`. This is a
 * second line of defense, because callers must not log secrets in the first place. Lines below the level are left out,
 * unless they contain a metric.
 */
export const createLog = (
  level: LogLevel,
  write: (line: string) => void = (line) => process.stdout.write(`${line}\n`),
): Log => {
  const threshold = logLevels.indexOf(level)
  const emit =
    (lineLevel: LogLevel) =>
    (event: string, fields: LogFields = {}) => {
      // Metrics are read from the log, so an alarm must not depend on its level.
      const isMetric = metricField in fields && level !== 'silent'
      if (logLevels.indexOf(lineLevel) < threshold && !isMetric) return
      write(JSON.stringify({ time: new Date().toISOString(), level: lineLevel, event, ...redact(fields) }))
    }
  return { debug: emit('debug'), info: emit('info'), warn: emit('warn'), error: emit('error') }
}

const redact = (fields: LogFields): LogFields => {
  const redacted: [string, unknown][] = []
  for (const [name, value] of listPresent(fields))
    redacted.push([name, secretName.test(name) ? '[redacted]' : mask(value)])
  return Object.fromEntries(redacted)
}

const mask = (value: unknown): unknown => {
  if (typeof value === 'string') return value.replaceAll(secretValue, '[redacted]')
  if (Array.isArray(value)) return value.map(mask)
  if (value instanceof Error) return describeError(value)
  if (value instanceof PublicText) return value.text
  return value !== null && typeof value === 'object' ? redact(value as LogFields) : value
}

/** Returns name, message, stack, and causes of an error. Only the log may contain them. */
const describeError = (error: Error): LogFields => ({
  name: error.name,
  message: mask(error.message),
  stack: mask(error.stack ?? ''),
  ...(error.cause instanceof Error ? { cause: describeError(error.cause) } : {}),
})

/** The log field in which CloudWatch expects the description of a metric. */
const metricField = '_aws'

/**
 * Builds log fields that CloudWatch counts as one event of a metric (embedded metric format). This needs no call to
 * CloudWatch.
 */
export const buildMetricFields = (
  name: MetricName,
  { config, now }: { readonly config: Pick<Config, 'tableName'>; readonly now: () => number },
): Readonly<Record<string, unknown>> => ({
  [metricField]: {
    Timestamp: now(),
    CloudWatchMetrics: [
      {
        Namespace: metricNamespace,
        Dimensions: [[metricDimension]],
        Metrics: [{ Name: name, Unit: 'Count' }],
      },
    ],
  },
  [metricDimension]: config.tableName,
  [name]: 1,
})
