import { signInProvidersMax } from '../../../lib/contract/page-data.ts'
import { pageData } from '../../kit/start-path.ts'

/** Whether the sign-in page leaves out a visible provider, because it shows as many with a lower ID as it can. */
export const isCrowdedOut = (id: number): boolean => {
  const shown = pageData.providers.map((provider) => provider.id)
  return shown.length >= signInProvidersMax && shown.every((other) => other < id)
}
