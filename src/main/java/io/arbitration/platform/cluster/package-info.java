/** An event bus that several nodes share: membership by Hazelcast, all connections with TLS. */
package io.arbitration.platform.cluster;
