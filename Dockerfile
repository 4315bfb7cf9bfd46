# syntax=docker/dockerfile:1
# One node of the platform. What it needs beside Java is what ./acp installs anywhere; how it is built and run is said there too.
ARG DEBIAN=trixie-slim

FROM debian:${DEBIAN} AS java
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
# The packages of Debian are those of its release: a rebuild takes its security updates.
# hadolint ignore=DL3008
RUN apt-get update -q \
    && apt-get install -y -q --no-install-recommends ca-certificates openjdk-25-jre-headless \
    && rm -rf /var/lib/apt/lists/*
# The start-up cache belongs to this very path.
RUN ln -s "$(dirname "$(dirname "$(readlink -f /usr/bin/java)")")" /opt/java
ENV JAVA_HOME=/opt/java
WORKDIR /opt/acp

# Builds the jar, and the start-up cache by a training run, which needs no network and no database but its own.
FROM java AS build
# hadolint ignore=DL3008
RUN apt-get update -q \
    && apt-get install -y -q --no-install-recommends openjdk-25-jdk-headless maven \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 10001 acp \
    && useradd --uid 10001 --gid acp --create-home acp \
    && chown acp:acp /opt/acp
# PostgreSQL, which the training run starts, does not run as root.
USER 10001:10001
COPY --chown=10001:10001 . .
RUN --mount=type=cache,target=/libraries,uid=10001,gid=10001 MAVEN_OPTS=-Dmaven.repo.local=/libraries ACP_INSTALL=no ./acp build

FROM java AS node
COPY acp .
# hadolint ignore=DL3008
RUN apt-get update -q \
    && apt-get install -y -q --no-install-recommends tini \
    && ./acp install \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 10001 acp \
    && useradd --uid 10001 --gid acp --no-create-home --home-dir /data --shell /usr/sbin/nologin acp \
    && install -d -o acp -g acp -m 0700 /data
COPY LICENSE .
COPY conf conf
COPY --from=build /opt/acp/target/lib target/lib
COPY --from=build /opt/acp/target/platform.jar /opt/acp/target/platform.aot /opt/acp/target/platform.aot.stamp target/
# What the jar and its libraries are made of, for scanners of images.
COPY --from=build /opt/acp/target/classes/META-INF/sbom/application.cdx.json sbom/
ENV ACP_DATA_FOLDER=/data \
    ACP_MANAGEMENT_HOST=0.0.0.0 \
    ACP_INSTALL=no
# The root file system may be read-only: the node writes to /data and /tmp alone.
VOLUME ["/data"]
USER 10001:10001
EXPOSE 8080 8081
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["/opt/acp/acp", "health"]
# Process 1 collects the processes that a browser leaves behind, which Java does not.
ENTRYPOINT ["/usr/bin/tini", "--", "/opt/acp/acp"]
CMD ["run"]
