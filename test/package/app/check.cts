import { App, Stack } from 'aws-cdk-lib'
import { AuthService } from 'latchkey'
import { startLocalService } from 'latchkey/server'

export const auth: AuthService = new AuthService(new Stack(new App(), 'Product'), 'Auth', { backup: true })
export const start: typeof startLocalService = startLocalService
