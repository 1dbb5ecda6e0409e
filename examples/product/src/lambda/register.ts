import { registerProduct } from '../register.ts'
import { readCredentials, readSecret, readVariable, writeCredentials } from './credentials.ts'

/** Registers the product after the first deployment. Later ones find its credentials, and change nothing. */
export const handler = async (): Promise<void> => {
  const secret = readVariable('CREDENTIALS_SECRET')
  if (await readCredentials(secret)) return
  const credentials = await registerProduct({
    latchkeyUrl: readVariable('LATCHKEY_URL'),
    origin: readVariable('ORIGIN'),
    adminPassword: await readSecret(readVariable('ADMIN_SECRET')),
  })
  await writeCredentials(secret, credentials)
}
