/** The events by which the service starts its own jobs. They are on a bus of their own, not on that of audit events. */
export const jobEvent = {
  source: 'latchkey',
  logoutJobs: 'Logout jobs',
  missingSigningKeys: 'Missing signing keys',
} as const
