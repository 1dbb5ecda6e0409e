const encode = (text: string): string => Buffer.from(text).toString('base64url')

const encodeClientData = (type: 'webauthn.create' | 'webauthn.get'): string =>
  encode(
    JSON.stringify({
      type,
      challenge: 'cUVMWmhkMnQ0ZVpsb2tXcGQ',
      origin: 'https://auth.example.com',
      crossOrigin: false,
    }),
  )

const id = encode('ThisIsAnExampleOfAPasskey')

/** What a browser returns for a new passkey. The attestation is cut short, because a real one has about 200 bytes. */
export const newPasskey = {
  id,
  rawId: id,
  type: 'public-key',
  response: {
    clientDataJSON: encodeClientData('webauthn.create'),
    attestationObject: encode('ThisIsAnExampleAndNotARealAttestation'),
    transports: ['internal', 'hybrid'],
  },
} as const

/** What a browser returns for a passkey that the user used. */
export const usedPasskey = {
  id,
  rawId: id,
  type: 'public-key',
  response: {
    clientDataJSON: encodeClientData('webauthn.get'),
    authenticatorData: encode('ThisIsAnExampleAndNotARealProof'),
    signature: encode('ThisIsAnExampleAndNotARealSignature'),
    userHandle: encode('ThisIsAnExampleUserHandle'),
  },
} as const
