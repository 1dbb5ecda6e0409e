import type { Config } from './config.ts'

/** What is counted in CloudWatch, each with what it tells. */
export const metrics = {
  BreachLookUpUnanswered: 'A new password could not be looked up among breached ones, and passed',
  MailBounced: 'A mail came back for good, and its address gets no more',
  MailComplained: 'A recipient called a mail spam, and gets no more',
  SamlCertificateEnding: 'A certificate of a SAML provider, theirs or ours, ends in some days',
  SamlRefreshFailed: 'The metadata of a SAML provider could not be read again',
} as const

export const metricNamespace = 'Latchkey'
/** By its table, a service is told from another one in the same account. */
export const metricDimension = 'Table'

export type MetricName = keyof typeof metrics

/**
 * Fields for a line of the log that CloudWatch takes for a count of one (its embedded metric format): no call, and
 * nothing to wait for.
 */
export const buildCount = (
  name: MetricName,
  { config, now }: { readonly config: Pick<Config, 'tableName'>; readonly now: () => number },
): Readonly<Record<string, unknown>> => ({
  _aws: {
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
