const issuer = process.env.ISSUER
const signOutAddress = `${issuer}/oauth2/logout`

export const authOptions = {
  providers: [
    {
      id: 'latchkey',
      name: 'Latchkey',
      type: 'oauth',
      wellKnown: `${issuer}/.well-known/openid-configuration`,
      idToken: true,
      authorization: { params: { scope: 'openid profile email' } },
      clientId: process.env.CLIENT_ID,
      clientSecret: process.env.CLIENT_SECRET,
      checks: ['pkce', 'state', 'nonce'],
      profile: ({ sub, name, email }) => ({ id: sub, name, email }),
    },
  ],
  callbacks: {
    jwt: ({ token, account, profile }) =>
      account ? { ...token, idToken: account.id_token, organization: profile.org_name } : token,
    session: ({ session, token }) => {
      const parameters = {
        id_token_hint: token.idToken,
        post_logout_redirect_uri: `${process.env.NEXTAUTH_URL}/`,
      }
      return {
        ...session,
        organization: token.organization,
        signOutUrl: `${signOutAddress}?${new URLSearchParams(parameters)}`,
      }
    },
    // After the sign-out here, the browser goes to the sign-out of Latchkey. No other address outside is allowed.
    redirect: ({ url, baseUrl }) => {
      const { origin, pathname } = new URL(url, baseUrl)
      return origin === baseUrl || `${origin}${pathname}` === signOutAddress ? url : baseUrl
    },
  },
}
