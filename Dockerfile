# One node of the platform. What it needs beside Java is what ./acp installs anywhere; how it is built and run is said there too.
# Targets: node (the last one), and node-without-browser, which is small and for nodes that capture no web pages; without a start-up cache
# it starts a second or two later.
# Behind a company's proxies: docs/guides/operate.md, Build the image.
ARG BASE=debian:trixie-slim

# ---- The JDK, and of it what a node runs with --------------------------------------------------------------------
FROM ${BASE} AS jdk
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
# The packages of Debian are those of its release: a rebuild takes its security updates.
# Java's packages link to manuals, whose folder slim images do not have.
# hadolint ignore=DL3008
RUN install -d /usr/share/man/man1 \
    && apt-get update -q \
    && apt-get install -y -q --no-install-recommends ca-certificates openjdk-25-jdk-headless maven \
    && rm -rf /var/lib/apt/lists/* \
    && ln -s "$(dirname "$(dirname "$(readlink -f /usr/bin/javac)")")" /opt/jdk
# java.se, what the libraries use of the JDK's own modules, locales and charsets of every country, and jcmd to look into a node. Some of
# Debian's updates have files for debuggers beside the libraries, which are ten times as large as all else.
RUN /opt/jdk/bin/jlink --output /opt/java --no-header-files --no-man-pages --compress zip-6 --add-modules \
      java.se,jdk.unsupported,jdk.zipfs,jdk.charsets,jdk.localedata,jdk.crypto.ec,jdk.management,jdk.naming.dns,jdk.net,jdk.jfr,jdk.jcmd,jdk.httpserver \
    && rm -f /opt/java/lib/security/cacerts /opt/java/lib/server/*.jsa \
    && find /opt/java -name '*.debuginfo' -delete

# ---- The jar and its libraries -----------------------------------------------------------------------------------
FROM jdk AS build
WORKDIR /opt/acp
ENV JAVA_HOME=/opt/jdk
COPY . .
# Certificates of a company and settings of Maven (mirror, credentials) are there for this step alone, and in no layer.
RUN --mount=type=cache,target=/libraries \
    --mount=type=secret,id=ca,target=/usr/local/share/ca-certificates/company.crt \
    --mount=type=secret,id=maven,target=/etc/maven/settings.xml \
    update-ca-certificates \
    && MAVEN_OPTS=-Dmaven.repo.local=/libraries ACP_INSTALL=no ./acp package

# ---- A node without a browser ------------------------------------------------------------------------------------
FROM ${BASE} AS node-without-browser
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
WORKDIR /opt/acp
COPY acp .
# Libraries of the system that Java's own ask for, and the fonts.
# hadolint ignore=DL3008
RUN apt-get update -q \
    && apt-get install -y -q --no-install-recommends ca-certificates tini libfreetype6 libgif7 libharfbuzz0b libjpeg62-turbo liblcms2-2 zlib1g \
    && ./acp install fonts trim \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt /var/cache/debconf/*-old /var/lib/dpkg/*-old /var/log/apt /var/log/dpkg.log \
    && groupadd --gid 10001 acp \
    && useradd --uid 10001 --gid acp --no-create-home --home-dir /data --shell /usr/sbin/nologin acp \
    && install -d -o acp -g acp -m 0700 /data
COPY --from=jdk /opt/java /opt/java
# The authorities that Java trusts are those of Debian, in Java's format; a company's own were trusted for the build alone.
COPY --from=jdk /etc/ssl/certs/java/cacerts /opt/java/lib/security/cacerts
COPY LICENSE .
COPY conf conf
COPY --from=build /opt/acp/target/lib target/lib
COPY --from=build /opt/acp/target/platform.jar target/
# What the jar and its libraries are made of, for scanners of images.
COPY --from=build /opt/acp/target/classes/META-INF/sbom/application.cdx.json sbom/
ENV JAVA_HOME=/opt/java \
    ACP_DATA_FOLDER=/data \
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

# The start-up cache belongs to one Java, one jar and one path, so what is shipped makes it, by a training run that needs no network and no
# database but its own. PostgreSQL, which that run starts, does not run as root.
FROM node-without-browser AS trained
# hadolint ignore=DL3002
USER 0:0
RUN chown 10001:10001 target
USER 10001:10001
RUN ./acp cache

# ---- A node ------------------------------------------------------------------------------------------------------
FROM node-without-browser AS node
# hadolint ignore=DL3002
USER 0:0
RUN apt-get update -q \
    && ACP_INSTALL=yes ./acp install browser trim \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt /var/cache/debconf/*-old /var/lib/dpkg/*-old /var/log/apt /var/log/dpkg.log
COPY --from=trained /opt/acp/target/platform.aot /opt/acp/target/platform.aot.stamp target/
USER 10001:10001
