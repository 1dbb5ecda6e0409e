'use client'

import { SessionProvider, signIn, signOut, useSession } from 'next-auth/react'

function Product() {
  const { data: session, status } = useSession()
  if (status === 'loading') return null
  if (!session) return <button onClick={() => signIn('latchkey')}>Sign in</button>
  return (
    <>
      <p>Hello {session.user.name}</p>
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
