'use client'

import { SessionProvider, signIn, signOut, useSession } from 'next-auth/react'

function Product() {
  const { data: session, status } = useSession()
  if (status === 'loading') return null
  // A link such as /?organization=acme-studios signs people in for that organization.
  const signInHere = () => {
    const organization = new URLSearchParams(location.search).get('organization')
    return signIn('latchkey', undefined, organization ? { organization } : {})
  }
  if (!session) return <button onClick={signInHere}>Sign in</button>
  return (
    <>
      <p>Hello {session.user.name}</p>
      <a href="/private">Private page</a>
      {session.organization && <p>Organization: {session.organization}</p>}
      <button onClick={() => signOut({ callbackUrl: session.signOutUrl })}>Sign out</button>
    </>
  )
}

export default function Page() {
  return (
    <SessionProvider>
      <Product />
    </SessionProvider>
  )
}
