/** A product with its own HTTP API and the service beside it, in two stages. Prints what was synthesized. */
exports.buildApp = ({ cdk, apigateway, integrations, AuthService }, outdir) => {
  const app = new cdk.App({ outdir, analyticsReporting: false })
  for (const [name, account] of Object.entries({ Test: '111122223333', Prod: '444455556666' })) {
    const stage = new cdk.Stage(app, name, { env: { account, region: 'eu-central-1' } })
    const stack = new cdk.Stack(stage, 'Product')
    const api = new apigateway.HttpApi(stack, 'Api')
    const auth = new AuthService(stack, 'Auth', {
      publicUrl: `https://auth.${name.toLowerCase()}.example.com`,
      allowedOrigins: ['https://app.example.com'],
      mailFrom: 'Product <no-reply@example.com>',
    })
    const integration = new integrations.HttpUrlIntegration('Films', 'https://films.example.com')
    for (const [path, authorizer] of Object.entries({
      '/films': auth.authorizer(),
      '/edit': auth.authorizer({ permission: 'films:edit' }),
      '/reports': auth.jwtAuthorizer({ audience: 'https://reports.example.com' }),
    }))
      api.addRoutes({ path, integration, authorizer })
    new cdk.CfnOutput(stack, 'SignIn', { value: auth.url })
    new cdk.CfnOutput(stack, 'OwnApi', { value: api.apiEndpoint })
    new cdk.CfnOutput(stack, 'AuditBus', { value: auth.auditBus.eventBusArn })
  }
  const stages = app.synth().nestedAssemblies.map(({ nestedAssembly }) => nestedAssembly)
  const templates = stages.map((stage) => stage.stacks[0].template)
  const codeOf = ({ Resources }) =>
    Object.values(Resources)
      .filter(({ Type, Properties }) => Type === 'AWS::Lambda::Function' && Properties.Handler === 'index.handler')
      .map(({ Properties }) => Properties.Code.S3Key)
  const [test, prod] = templates.map(codeOf)
  console.log(
    JSON.stringify({
      stages: app.node.children.map(({ node }) => node.id).filter((id) => ['Test', 'Prod'].includes(id)),
      functions: test.length,
      authorizers: Object.values(templates[0].Resources).filter(
        ({ Type }) => Type === 'AWS::ApiGatewayV2::Authorizer',
      ).length,
      haveSameCode: test.every((key) => /^[0-9a-f]{64}\.zip$/.test(key)) && test.join() === prod.join(),
    }),
  )
}
