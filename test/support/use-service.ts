import { closeAfterTests } from './close-after-tests.ts'
import { startService, type TestService } from './service.ts'

/**
 * Starts the service of a test file, and closes it after the last test of the file.
 *
 * @example
 * ```ts
 * const service = await useService({ ALLOWED_ORIGINS: 'https://media.example.com' })
 * const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
 *
 * it('lists all users', async () => {
 *   expect((await service.client('GET', '/api/2/users', admin)).status).toBe(200)
 * })
 * ```
 */
export const useService = async (...given: Parameters<typeof startService>): Promise<TestService> =>
  closeAfterTests(await startService(...given))
