# Grantbox: the node binary, bundled files and templates. No npm, no node_modules, no sources.
#   docker build -t grantbox .                        Debian with a shell, and the words of Keycloak's image
#   docker build -t grantbox --target distroless .    nothing but Node and what it needs: no shell, no package manager
# docker-bake.hcl builds both for two architectures.
ARG NODE_IMAGE=node:24-trixie-slim
ARG RUNTIME_IMAGE=debian:trixie-slim
ARG DISTROLESS_IMAGE=gcr.io/distroless/nodejs24-debian13

FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json ./
# Both secrets may be absent: they are for a network that needs an npmrc or a certificate of its own.
RUN --mount=type=cache,target=/root/.npm \
    --mount=type=secret,id=npmrc,target=/root/.npmrc \
    --mount=type=secret,id=ca,target=/run/build-ca.crt \
    npm ci --no-audit --no-fund
COPY tsconfig.json build.mjs clients.config.ts ./
COPY scripts/licences.mjs scripts/stamp.mjs scripts/warm-compile-cache.mjs ./scripts/
COPY src ./src
COPY templates ./templates
RUN node build.mjs \
 && node scripts/licences.mjs --notices dist/THIRD-PARTY-LICENSES.txt --sbom grantbox.spdx.json \
 && mkdir cache

# What both images have.
FROM scratch AS app
COPY LICENSE /app/
COPY --from=build /src/grantbox.spdx.json /app/
COPY --from=build /src/templates /app/templates
COPY --from=build /src/dist/*.cjs /src/dist/THIRD-PARTY-LICENSES.txt /app/dist/

FROM ${DISTROLESS_IMAGE} AS distroless-base
# The working directory is where a clients.config.ts is looked for: mount yours at /app/clients.config.ts.
WORKDIR /app
COPY --from=app /app /app
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=9000 \
    NODE_COMPILE_CACHE=/app/.cache

FROM distroless-base AS distroless-warm
COPY --from=build /src/scripts/warm-compile-cache.mjs /warm/
COPY --from=build --chown=1000:1000 /src/cache /app/.cache
USER 1000:1000
RUN ["/nodejs/bin/node", "/warm/warm-compile-cache.mjs", "/nodejs/bin/node", "--max-semi-space-size=2", "/app/dist/grantbox.cjs"]

FROM distroless-base AS distroless
COPY --from=distroless-warm /app/.cache /app/.cache
ARG VERSION=0.1.0
ARG REVISION=unknown
ARG SOURCE=unknown
ARG DISTROLESS_IMAGE
LABEL org.opencontainers.image.title="Grantbox" \
      org.opencontainers.image.description="A developer sandbox and mock identity provider: OAuth 2.0 and OpenID Connect server, sign-in page, sample backend and token dashboard." \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.source="${SOURCE}" \
      org.opencontainers.image.documentation="${SOURCE}/blob/${REVISION}/docs/deployment.md" \
      org.opencontainers.image.base.name="${DISTROLESS_IMAGE}"
USER 1000:1000
EXPOSE 9000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
  CMD ["/nodejs/bin/node", "/app/dist/grantbox.cjs", "healthcheck"]
# a small young generation keeps the memory of a busy server down by 40 %
ENTRYPOINT ["/nodejs/bin/node", "--max-semi-space-size=2", "/app/dist/grantbox.cjs"]

FROM ${NODE_IMAGE} AS node

FROM ${RUNTIME_IMAGE} AS base
COPY --from=node /usr/local/bin/node /usr/local/bin/node
# The working directory is where a clients.config.ts is looked for: mount yours at /app/clients.config.ts.
WORKDIR /app
COPY --chmod=755 docker-entrypoint.sh /usr/local/bin/docker-entrypoint.sh
COPY --from=app /app /app
RUN ln -s /app/dist/grantbox.cjs /usr/local/bin/grantbox \
 && install -d /opt/keycloak/bin /opt/keycloak/data/import \
 && ln -s /usr/local/bin/docker-entrypoint.sh /opt/keycloak/bin/kc.sh
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=9000 \
    NODE_COMPILE_CACHE=/app/.cache

# One run that loads everything and ends cleanly: it leaves the compiled code for the next one. The code counts only
# for the user, the node version and the kind of CPU it was made with; anybody else starts a little slower.
FROM base AS warm
COPY --from=build /src/scripts/warm-compile-cache.mjs /warm/
RUN install -d -o 1000 -g 1000 /app/.cache
USER 1000:1000
RUN node /warm/warm-compile-cache.mjs

FROM base AS slim
COPY --from=warm /app/.cache /app/.cache
ARG VERSION=0.1.0
ARG REVISION=unknown
ARG SOURCE=unknown
ARG RUNTIME_IMAGE
LABEL org.opencontainers.image.title="Grantbox" \
      org.opencontainers.image.description="A developer sandbox and mock identity provider: OAuth 2.0 and OpenID Connect server, sign-in page, sample backend and token dashboard." \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.source="${SOURCE}" \
      org.opencontainers.image.documentation="${SOURCE}/blob/${REVISION}/docs/deployment.md" \
      org.opencontainers.image.base.name="${RUNTIME_IMAGE}"
USER 1000:1000
EXPOSE 9000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
  CMD ["docker-entrypoint.sh", "healthcheck"]
ENTRYPOINT ["docker-entrypoint.sh"]
