import { getServerSession } from 'next-auth'
import { redirect } from 'next/navigation'
import { authOptions } from '../../auth.js'

export default async function PrivatePage() {
  const session = await getServerSession(authOptions)
  if (!session) redirect('/')
  return <p>Only for {session.user.name}</p>
}
