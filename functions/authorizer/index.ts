import { createAuthorizer } from '../../lib/features/authorizers/create-authorizer.part.ts'

export const handler = createAuthorizer(process.env)
