import { createAuthorizer } from './create-authorizer.ts'

export const handler = createAuthorizer(process.env)
