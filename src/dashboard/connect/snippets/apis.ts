import type { ConnectFacts, SnippetClient } from './facts.ts';
import { js, quoted } from './literals.ts';
import type { Snippet } from './snippet.ts';

/** APIs that receive access tokens. */
export function apis(facts: ConnectFacts): readonly Snippet[] {
  const client = facts.spa ?? facts.web ?? facts.machine;
  return client === undefined ? [] : [express(facts, client), spring(facts, client), aspNetApi(facts, client)];
}

/** Where an API of one's own mostly is. */
const ownPort = 4000;

function express({ issuer, at, behind, api }: ConnectFacts, client: SnippetClient): Snippet {
  const { name, scope } = ownCall(api, client);
  return {
    id: 'express',
    family: 'api',
    title: 'Express, jose',
    where: 'api.mjs',
    language: 'js',
    code: `import express from 'express';
import { createRemoteJWKSet, jwtVerify } from 'jose';

const keys = createRemoteJWKSet(new URL(${js(at.jwks)}));
const expected = { issuer: ${js(issuer)}, audience: ${js(client.audience)}, typ: 'at+jwt' };

/** Lets in who has an access token with the scope. */
function requireScope(scope) {
  return async (req, res, next) => {
    const [, token = ''] = /^Bearer (.+)$/i.exec(req.headers.authorization ?? '') ?? [];
    try {
      const { payload } = await jwtVerify(token, keys, expected);
      if (String(payload.scope).split(/[ ,]/).includes(scope)) {
        res.locals.claims = payload;
        return next();
      }
      res.status(403).set('WWW-Authenticate', \`Bearer error="insufficient_scope", scope="\${scope}"\`).end();
    } catch (error) {
      res.status(401).set('WWW-Authenticate', 'Bearer error="invalid_token"').end(error.message);
    }
  };
}

const app = express();
app.get(${js(`/${name}`)}, requireScope(${js(scope)}), (_req, res) => {
  res.json({ sub: res.locals.claims.sub });
});
app.listen(${ownPort});
`,
    note: notesOf(
      client,
      behind.jwks === at.jwks
        ? ''
        : `In a container, where the issuer cannot be reached, the keys are at ${behind.jwks}.`,
    ),
  };
}

function spring({ issuer, at, behind }: ConnectFacts, client: SnippetClient): Snippet {
  return {
    id: 'spring',
    family: 'api',
    title: 'Spring resource server',
    where: 'SecurityConfiguration.java',
    language: 'java',
    code: `import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.jwt.*;

@Configuration
class SecurityConfiguration {

    @Bean
    JwtDecoder jwtDecoder() {
        var decoder = NimbusJwtDecoder.withJwkSetUri(${quoted(at.jwks)})
            .jwtProcessorCustomizer(processor -> processor.setJWSTypeVerifier(
                new DefaultJOSEObjectTypeVerifier<>(new JOSEObjectType("at+jwt"))))
            .build();
        decoder.setJwtValidator(new DelegatingOAuth2TokenValidator<>(
            new JwtTimestampValidator(),
            new JwtIssuerValidator(${quoted(issuer)}),
            new JwtClaimValidator<List<String>>("aud", aud -> aud != null && aud.contains(${quoted(client.audience)}))));
        return decoder;
    }
}
`,
    note: notesOf(
      client,
      'issuer-uri alone is not enough: Spring takes typ JWT only, and access tokens say at+jwt (RFC 9068 §2.1). Scopes arrive as authorities SCOPE_….',
      behind.jwks === at.jwks ? '' : `In a container the keys are at ${behind.jwks}; the issuer stays.`,
    ),
  };
}

function aspNetApi({ issuer, behind, backchannelUrl, isPlainHttp, api }: ConnectFacts, client: SnippetClient): Snippet {
  const { name, scope } = ownCall(api, client);
  const metadata =
    backchannelUrl === undefined
      ? ''
      : `\n        options.MetadataAddress = ${quoted(behind.discovery)}; // from a container`;
  return {
    id: 'aspnet-api',
    family: 'api',
    title: '.NET API, JwtBearer',
    where: 'Program.cs',
    language: 'csharp',
    code: `using Microsoft.AspNetCore.Authentication.JwtBearer;

var builder = WebApplication.CreateBuilder(args);
builder.Services
    .AddAuthentication(JwtBearerDefaults.AuthenticationScheme)
    .AddJwtBearer(options =>
    {
        options.Authority = ${quoted(issuer)};${metadata}${isPlainHttp ? '\n        options.RequireHttpsMetadata = false;' : ''}
        options.Audience = ${quoted(client.audience)};
        options.MapInboundClaims = false;
        options.TokenValidationParameters.ValidIssuer = ${quoted(issuer)};
        options.TokenValidationParameters.ValidTypes = ["at+jwt"];
    });
builder.Services.AddAuthorization(options => options.AddPolicy(${quoted(scope)}, policy =>
    policy.RequireAssertion(context => (context.User.FindFirst("scope")?.Value ?? "").Split(' ').Contains(${quoted(scope)}))));

var app = builder.Build();
app.UseAuthentication();
app.UseAuthorization();
app.MapGet(${quoted(`/${name}`)}, (HttpContext context) => context.User.FindFirst("sub")?.Value).RequireAuthorization(${quoted(scope)});
app.Run("http://localhost:${ownPort}");
`,
    note: notesOf(client, 'NuGet: Microsoft.AspNetCore.Authentication.JwtBearer.'),
  };
}

/** What the example offers: as the sample backend does, where a client may call that. */
function ownCall(api: ConnectFacts['api'], client: SnippetClient): { readonly name: string; readonly scope: string } {
  const name = api?.url.split('/').at(-1) ?? 'hello';
  return { name: /^[\w.~-]+$/.test(name) ? name : 'hello', scope: api?.scope ?? client.scope.split(' ')[0] ?? '' };
}

function notesOf({ client_id, isOpaque }: SnippetClient, ...notes: readonly string[]): string {
  const opaque = `Access tokens of ${client_id} are opaque: set access_token_format: 'jwt' for it, or ask the introspection endpoint.`;
  return [...notes, isOpaque ? opaque : ''].filter(note => note !== '').join(' ');
}
