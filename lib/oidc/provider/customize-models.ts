import { errors, type Provider } from 'oidc-provider'
import { jwtCharacters } from '../../limits/limits.ts'
import { isClientSecret } from '../authenticate-client.ts'
import { getRun } from './run.ts'

/** Replaces methods of the models of the library for which there is no setting. */
export const customizeModels = ({ Client, AccessToken }: Provider): void => {
  // The table has only hashes of secrets. The library documents this replacement.
  Client.prototype.compareClientSecret = (secret) => {
    const { client } = getRun()
    return client !== undefined && isClientSecret(client, secret)
  }
  // Every address is compared as it is (RFC 9700 2.1), also that of an app on a loopback address.
  Client.prototype.redirectUriAllowed = function (uri) {
    return this.redirectUris?.includes(uri) === true
  }
  const { save } = AccessToken.prototype
  AccessToken.prototype.save = async function () {
    const value = await save.call(this)
    if (value.length > jwtCharacters)
      throw new errors.InvalidRequest('the groups and permissions of the user do not fit into a token')
    getRun().accessToken = value
    return value
  }
}
