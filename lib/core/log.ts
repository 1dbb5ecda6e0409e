import { type LogLevel, logLevels } from './config.ts'

export type LogFields = Readonly<Record<string, unknown>>

export interface Log {
  debug(event: string, fields?: LogFields): void
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
}

const secretName = /pass|secret|token|ticket|otp|totp|cookie|authorization|credential|key$|session_key|hash/i
const secretValue = /\blk[a-z]_[0-9A-Za-z]{8,}|\$2[aby]\$\d\d\$[./0-9A-Za-z]{10,}|Bearer\s+\S+/g

/**
 * A log of one JSON line per event. Values under a telling name are left out and values that look like one of
 * our credentials or a password hash are masked, wherever they stand: the second net, since no caller should
 * pass one in the first place.
 */
export const createLog = (
  level: LogLevel,
  write: (line: string) => void = (line) => process.stdout.write(`${line}\n`),
): Log => {
  const threshold = logLevels.indexOf(level)
  const emit =
    (own: LogLevel) =>
    (event: string, fields: LogFields = {}) => {
      if (logLevels.indexOf(own) < threshold) return
      write(JSON.stringify({ time: new Date().toISOString(), level: own, event, ...redact(fields) }))
    }
  return { debug: emit('debug'), info: emit('info'), warn: emit('warn'), error: emit('error') }
}

const redact = (fields: LogFields): LogFields =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, secretName.test(name) ? '[redacted]' : masked(value)]),
  )

const masked = (value: unknown): unknown => {
  if (typeof value === 'string') return value.replaceAll(secretValue, '[redacted]')
  if (Array.isArray(value)) return value.map(masked)
  if (value instanceof Error) return describeError(value)
  return value !== null && typeof value === 'object' ? redact(value as LogFields) : value
}

/** Name, text and place of an error, with its causes, for the log alone. */
const describeError = (error: Error): LogFields => ({
  name: error.name,
  message: masked(error.message),
  stack: masked(error.stack ?? ''),
  ...(error.cause instanceof Error ? { cause: describeError(error.cause) } : {}),
})
