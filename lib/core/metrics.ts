/** What is counted in CloudWatch, each with what it tells. */
export const metrics = {
  BreachLookUpUnanswered: 'A new password could not be looked up among breached ones, and passed',
  MailBounced: 'A mail came back for good, and its address gets no more',
  MailComplained: 'A recipient called a mail spam, and gets no more',
  SamlCertificateEnding: 'A certificate of a SAML provider, theirs or ours, ends in some days',
  SamlRefreshFailed: 'The metadata of a SAML provider could not be read again',
} as const

export const metricNamespace = 'Latchkey'

export type MetricName = keyof typeof metrics

/**
 * Fields for a line of the log that CloudWatch takes for a count of one (its embedded metric format): no call, and
 * nothing to wait for.
 */
export const countOf = (name: MetricName, nowMs: number): Readonly<Record<string, unknown>> => ({
  _aws: {
    Timestamp: nowMs,
    CloudWatchMetrics: [
      { Namespace: metricNamespace, Dimensions: [[]], Metrics: [{ Name: name, Unit: 'Count' }] },
    ],
  },
  [name]: 1,
})
