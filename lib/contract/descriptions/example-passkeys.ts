/** A random value that a passkey signs, in base64url. */
export const exampleChallenge = 'cUVMWmhkMnQ0ZVpsb2tXcGQ'

const encode = (text: string): string => Buffer.from(text).toString('base64url')

const encodeClientData = (type: 'webauthn.create' | 'webauthn.get'): string =>
  encode(
    JSON.stringify({
      type,
      challenge: exampleChallenge,
      origin: 'https://auth.example.com',
      crossOrigin: false,
    }),
  )

const id = encode('ThisIsAnExampleOfAPasskey')

/** What a browser returns for a new passkey. The attestation is cut short, because a real one has about 200 bytes. */
export const newPasskey = {
  id,
  rawId: id,
  type: 'public-key' as const,
  response: {
    clientDataJSON: encodeClientData('webauthn.create'),
    attestationObject: encode('ThisIsAnExampleAndNotARealAttestation'),
    transports: ['internal', 'hybrid'],
  },
}

/** What a browser returns for a passkey that the user used. */
export const usedPasskey = {
  id,
  rawId: id,
  type: 'public-key' as const,
  response: {
    clientDataJSON: encodeClientData('webauthn.get'),
    authenticatorData: encode('ThisIsAnExampleAndNotARealProof'),
    signature: encode('ThisIsAnExampleAndNotARealSignature'),
    userHandle: encode('ThisIsAnExampleUserHandle'),
  },
}
