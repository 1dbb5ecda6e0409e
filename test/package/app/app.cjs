const cdk = require('aws-cdk-lib')
const apigateway = require('aws-cdk-lib/aws-apigatewayv2')
const integrations = require('aws-cdk-lib/aws-apigatewayv2-integrations')
const { AuthService } = require('@latchkey/construct')
const { buildApp } = require('./build-app.cjs')

buildApp({ cdk, apigateway, integrations, AuthService }, 'cdk.out/cjs')
