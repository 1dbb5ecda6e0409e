import { createAuthorizer } from '../../lib/features/authorizers/create-authorizer.step.ts'

export const handler = createAuthorizer(process.env)
