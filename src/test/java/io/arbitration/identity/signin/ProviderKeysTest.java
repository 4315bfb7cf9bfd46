package io.arbitration.identity.signin;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import io.arbitration.Await;
import io.vertx.core.Future;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.RSAPrivateKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which keys of a provider check signatures. */
class ProviderKeysTest {

    private static RSAKey.Builder rsa(int bits) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(bits);
        KeyPair pair = generator.generateKeyPair();
        return new RSAKey.Builder((RSAPublicKey) pair.getPublic()).privateKey((RSAPrivateKey) pair.getPrivate()).keyID("k");
    }

    private static boolean isUsed(JWK key, JWSAlgorithm algorithm) {
        ProviderKeys keys = new ProviderKeys("p", () -> Future.succeededFuture(new JWKSet(key).toString(false)), Clock.systemUTC());
        return Await.result(keys.find(new JWSHeader.Builder(algorithm).keyID("k").build())).isPresent();
    }

    @Test
    void keysThatAreShortSymmetricOrForSomethingElseAreNotUsed() throws Exception {
        assertThat(isUsed(rsa(2048).build(), JWSAlgorithm.RS256)).isTrue();
        assertThat(isUsed(rsa(2048).keyUse(KeyUse.SIGNATURE).build(), JWSAlgorithm.RS256)).isTrue();
        assertThat(isUsed(rsa(2048).keyOperations(Set.of(KeyOperation.VERIFY)).build(), JWSAlgorithm.RS256)).isTrue();
        assertThat(isUsed(rsa(1024).build(), JWSAlgorithm.RS256)).as("1024 bits").isFalse();
        assertThat(isUsed(rsa(2048).keyUse(KeyUse.ENCRYPTION).build(), JWSAlgorithm.RS256)).as("for encryption").isFalse();
        assertThat(isUsed(rsa(2048).keyOperations(Set.of(KeyOperation.ENCRYPT)).build(), JWSAlgorithm.RS256)).as("to encrypt with").isFalse();
        assertThat(isUsed(new OctetSequenceKey.Builder(new byte[32]).keyID("k").build(), JWSAlgorithm.HS256)).as("symmetric").isFalse();
    }
}
