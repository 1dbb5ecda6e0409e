/** Journeys and attacks that run on the sources alone, because they depend on how handlers run. */
export const sourcesOnly = {
  'test/journeys/write-spread.test.ts': {
    reason: 'It counts the writes of handlers in their process. They are the same when deployed.',
    dependsOn: /countWrites\(/,
  },
  'test/attacks/sign-in-timing.test.ts': {
    reason: 'It compares the CPU time and the table calls of handlers in their process.',
    dependsOn: /cpuMsOf\(/,
  },
  'test/attacks/authorizer.test.ts': {
    reason:
      'It runs the authorizer in its process with several settings. A test of its own runs the deployed one.',
    dependsOn: /createAuthorizer\(/,
  },
  'test/attacks/client-tokens.test.ts': {
    reason: 'It runs the authorizer in its process with several settings, beside the middleware.',
    dependsOn: /createAuthorizer\(/,
  },
  'test/attacks/credential-kinds.test.ts': {
    reason: 'It runs the authorizer in its process, beside everything else that takes a credential.',
    dependsOn: /createAuthorizer\(/,
  },
  'test/attacks/session-review.test.ts': {
    reason:
      'It moves the clock of handlers in their process. A test of the background functions runs the deployed review.',
    dependsOn: /setSystemTime\(/,
  },
  'test/attacks/organization-isolation.test.ts': {
    reason:
      'It calls handlers in their process, with many thousand requests, and compares their table calls.',
    dependsOn: /runStorm\(/,
  },
  'test/journeys/configured-branding.test.ts': {
    reason:
      'It moves the clock of handlers in their process. Another journey sends images to the deployed ones.',
    dependsOn: /setSystemTime\(/,
  },
  'test/attacks/client-documents.test.ts': {
    reason: 'It moves the clock of handlers in their process. A test of its own runs the deployed ones.',
    dependsOn: /setSystemTime\(/,
  },
} as const satisfies Readonly<Record<string, { readonly reason: string; readonly dependsOn: RegExp }>>
