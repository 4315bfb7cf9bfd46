package io.arbitration.platform.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRulesTest {

    private final AddressRules rules = new AddressRules(List.of(), () -> 8081);

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0,unspecified", "0.255.255.255,unspecified", "10.0.0.1,private", "10.255.255.255,private",
        "100.64.0.1,carrier-grade", "100.100.100.200,carrier-grade", "100.127.255.255,carrier-grade", "127.0.0.1,loopback",
        "127.255.255.254,loopback", "169.254.0.1,link-local", "169.254.169.254,link-local", "168.63.129.16,metadata",
        "172.16.0.1,private", "172.31.255.255,private", "192.0.0.1,protocol", "192.0.0.192,protocol",
        "192.0.2.7,documentation", "192.88.99.1,6to4", "192.168.0.1,private", "192.168.255.255,private",
        "198.18.0.1,benchmarking", "198.19.255.255,benchmarking", "198.51.100.1,documentation",
        "203.0.113.255,documentation", "224.0.0.1,multicast", "239.255.255.255,multicast", "240.0.0.1,reserved",
        "255.255.255.255,broadcast",
        "::,unspecified", "::1,loopback", "::127.0.0.1,IPv4-compatible", "::ffff:127.0.0.1,loopback", "::ffff:10.0.0.1,private",
        "::ffff:169.254.169.254,link-local", "64:ff9b::127.0.0.1,NAT64", "64:ff9b::8.8.8.8,NAT64", "64:ff9b:1::1,NAT64",
        "100::1,not a public", "2001::1,Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2,Teredo", "2001:2::1,protocol",
        "2001:10::1,protocol", "2001:20::1,protocol", "2001:db8::1,documentation", "2002:7f00:1::,6to4",
        "2002:a9fe:a9fe::1,6to4", "3fff::1,documentation", "4000::1,not a public", "5f00::1,not a public", "fc00::1,private",
        "fd00:ec2::254,private", "fdff::1,private", "fe80::1,link-local", "febf::1,link-local", "fec0::1,site-local",
        "ff02::1,multicast"})
    void anAddressThatIsNotPublicIsRefused(String address, String what) throws UnknownHostException {
        assertThat(rules.refusal(InetAddress.getByName(address), 443)).hasValueSatisfying(reason -> assertThat(reason).contains(what));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.1", "100.63.255.255", "100.128.0.1", "126.255.255.255", "128.0.0.1",
        "169.253.255.255", "169.255.0.1", "172.15.255.255", "172.32.0.1", "192.0.1.1", "192.167.255.255", "192.169.0.1",
        "198.17.255.255", "198.20.0.1", "223.255.255.255", "2606:4700::1111", "2a00:1450:4001::1", "2001:200::1",
        "2001:4860:4860::8888", "2003::1", "2400::1", "3ffe::1"})
    void aPublicAddressMayBeReached(String address) throws UnknownHostException {
        assertThat(rules.refusal(InetAddress.getByName(address), 443)).isEmpty();
        assertThat(rules.isExempt(InetAddress.getByName(address))).isFalse();
    }

    @Test
    void whatTheOperatorExemptsMayBeReachedAndNothingBesideIt() throws UnknownHostException {
        AddressRules exempting = new AddressRules(List.of(Cidr.parse("127.0.0.1/32"), Cidr.parse("10.1.0.0/20"), Cidr.parse("fd12::/16")), () -> 8081);
        for (String address : List.of("127.0.0.1", "10.1.0.0", "10.1.15.255", "fd12:1::1", "::ffff:127.0.0.1")) {
            assertThat(exempting.refusal(InetAddress.getByName(address), 443)).as(address).isEmpty();
            assertThat(exempting.isExempt(InetAddress.getByName(address))).as(address).isTrue();
        }
        for (String address : List.of("127.0.0.2", "10.1.16.0", "10.0.255.255", "fd13::1", "::1")) {
            assertThat(exempting.refusal(InetAddress.getByName(address), 443)).as(address).isPresent();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.1.2.3", "::1", "0.0.0.0", "::ffff:127.0.0.1"})
    void theManagementPortOfTheNodeIsRefusedAlsoWhereTheOperatorExemptsItsAddress(String address) throws UnknownHostException {
        AddressRules exempting = new AddressRules(List.of(Cidr.parse("0.0.0.0/0"), Cidr.parse("::/0")), () -> 8081);
        assertThat(exempting.refusal(InetAddress.getByName(address), 8081)).contains("the management port of the platform");
        assertThat(exempting.refusal(InetAddress.getByName(address), 8080)).isEmpty();
        assertThat(exempting.refusal(InetAddress.getByName("10.1.2.3"), 8081)).isEmpty();
    }

    @Test
    void theManagementPortOfTheNodeIsRefusedAtEachAddressOfItsMachine() throws SocketException {
        AddressRules exempting = new AddressRules(List.of(Cidr.parse("0.0.0.0/0"), Cidr.parse("::/0")), () -> 8081);
        assertThat(NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses).toList()).isNotEmpty()
                .allSatisfy(address -> assertThat(exempting.refusal(address, 8081)).contains("the management port of the platform"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "localhost", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0/8", "fe80::/129", "0x7f.0.0.1/8", "example.org/8"})
    void aBlockThatIsNoneIsRefusedWithoutAskingANameServer(String text) {
        assertThatThrownBy(() -> Cidr.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
