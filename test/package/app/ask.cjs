/** Signs in, and asks for the user with the client and with the middleware. Prints what each of them found. */
exports.ask = async ({ createClient, isLatchkeyError, createMiddleware, AccessError }) => {
  const [, , baseUrl, password] = process.argv
  const client = createClient({ baseUrl })
  const refused = await client.signIn({ username: 'admin', password: 'a wrong guess' }).catch((error) => error)
  const { session_key: session } = await client.signIn({ username: 'admin', password })
  const { username } = await client.users.getCurrentUser()
  const groups = []
  for await (const { name } of client.groups.iterateGroups({ limit: 1 })) groups.push(name)
  const { identifyUser } = createMiddleware({ baseUrl })
  const callWith = (credential) =>
    identifyUser({ method: 'GET', getHeader: (name) => (name === 'authorization' ? `Bearer ${credential}` : undefined) })
  const caller = await callWith(session)
  const stranger = await callWith('lks_unknown').catch((error) => error)
  const facts = {
    username,
    groups,
    isRefused: isLatchkeyError(refused, 'login_failed'),
    caller: caller.username,
    stranger: stranger instanceof AccessError && stranger.status,
  }
  console.log(JSON.stringify(facts))
}
