package dev.latchkey.auth.guard.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.engine.HeaderFields;
import dev.latchkey.testsupport.LogLines;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrustedProxiesTest {

    private final TrustedProxies xForwardedFor =
            TrustedProxies.of(ForwardingHeader.X_FORWARDED_FOR, List.of("10.0.0.0/8", "2001:db8:ffff::/48"));
    private final TrustedProxies forwarded = TrustedProxies.of(ForwardingHeader.FORWARDED, List.of("10.0.0.0/8"));

    private static HeaderFields header(String name, String... values) {
        return asked -> asked.equals(name) ? Arrays.asList(values) : List.of();
    }

    private String xForwardedFor(String remote, String... values) {
        return xForwardedFor.sourceOf(remote, header("X-Forwarded-For", values)).network();
    }

    private String forwarded(String... values) {
        return forwarded.sourceOf("10.0.0.1", header("Forwarded", values)).network();
    }

    @Test
    void headerFromAnUnknownProxyIsNotEvenRead() {
        HeaderFields unreadable = name -> {
            throw new AssertionError("was read");
        };
        assertThat(xForwardedFor.sourceOf("192.0.2.1", unreadable).network()).isEqualTo("192.0.2.1");
        assertThat(TrustedProxies.none().sourceOf("10.0.0.1", unreadable).network())
                .isEqualTo("10.0.0.1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # connection  | header                                | source
            10.0.0.1      | 192.0.2.7                             | 192.0.2.7
            10.0.0.1      | 6.6.6.6, 192.0.2.7                    | 192.0.2.7
            10.0.0.1      | 6.6.6.6, 192.0.2.7, 10.9.9.9          | 192.0.2.7
            10.0.0.1      | 10.1.1.1, 10.2.2.2                    | 10.1.1.1
            10.0.0.1      | 6.6.6.6, unknown, 10.2.2.2            | 10.2.2.2
            10.0.0.1      | 6.6.6.6, , 10.2.2.2                   | 10.2.2.2
            10.0.0.1      | 6.6.6.6, 10.2.2.2.                    | 10.0.0.1
            10.0.0.1      | 192.0.2.7:51234                       | 192.0.2.7
            10.0.0.1      | 192.0.2.7:port                        | 10.0.0.1
            10.0.0.1      | 2001:db8:1:2:3:4:5:6                  | 2001:db8:1:2:0:0:0:0/64
            10.0.0.1      | [2001:db8:1:2::9]:443                 | 2001:db8:1:2:0:0:0:0/64
            10.0.0.1      | [2001:db8:1:2::9]                     | 2001:db8:1:2:0:0:0:0/64
            10.0.0.1      | [2001:db8:1:2::9]443                  | 10.0.0.1
            10.0.0.1      | [2001:db8:1:2::9]:port                | 10.0.0.1
            10.0.0.1      | [2001:db8:1:2::9                      | 10.0.0.1
            10.0.0.1      | [192.0.2.7]                           | 10.0.0.1
            10.0.0.1      | 192.0.2.7%eth0                        | 10.0.0.1
            10.0.0.1      | ::ffff:192.0.2.7                      | 192.0.2.7
            ::ffff:10.0.0.1    | 192.0.2.7                        | 192.0.2.7
            2001:db8:ffff::1%2 | 192.0.2.7                        | 192.0.2.7
            2001:db8:fffe::1   | 192.0.2.7                        | 2001:db8:fffe:0:0:0:0:0/64
            """)
    void sourceIsTheRightMostUntrustedAddress(String remote, String value, String source) {
        assertThat(xForwardedFor(remote, value)).isEqualTo(source);
    }

    @Test
    void severalFieldsAreOneListInTheirOrder() {
        assertThat(xForwardedFor("10.0.0.1", "6.6.6.6", "192.0.2.7", "10.3.3.3"))
                .isEqualTo("192.0.2.7");
        assertThat(xForwardedFor("10.0.0.1")).isEqualTo("10.0.0.1");
        assertThat(xForwardedFor("10.0.0.1", "")).isEqualTo("10.0.0.1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            for=192.0.2.7                                                 | 192.0.2.7
            For="192.0.2.7:80";proto=https;by=10.0.0.1                    | 192.0.2.7
            proto=http; for="[2001:db8:1:2::9]:443"                       | 2001:db8:1:2:0:0:0:0/64
            for=6.6.6.6, for=192.0.2.7, for=10.2.2.2                      | 192.0.2.7
            for=6.6.6.6;x=", for=192.0.2.7                                | 192.0.2.7
            for=6.6.6.6;x=", for="[2001:db8:1:2::9]"                      | 2001:db8:1:2:0:0:0:0/64
            for=", for="192.0.2.7:80";by="10.0.0.1", for=10.2.2.2         | 192.0.2.7
            for="\\", for="192.0.2.7"                                     | 192.0.2.7
            for="a\\\\", for="192.0.2.7"                                  | 192.0.2.7
            for=6.6.6.6, ", for=10.2.2.2                                  | 10.2.2.2
            for=6.6.6.6, for="192.0.2.7                                   | 10.0.0.1
            for=6.6.6.6;x="a, for=1.1.1.1", for=192.0.2.7                 | 192.0.2.7
            for=6.6.6.6;x="a\\", for=1.1.1.1", for=192.0.2.7              | 192.0.2.7
            for=6.6.6.6\\, for=192.0.2.7                                 | 192.0.2.7
            192.0.2.7                                                     | 10.0.0.1
            for=_hidden                                                   | 10.0.0.1
            for=unknown, for=10.2.2.2                                     | 10.2.2.2
            proto=https                                                   | 10.0.0.1
            """)
    void forwardedIsReadWithItsQuotes_andAnOpenQuotationHidesNoProxy(String value, String source) {
        assertThat(forwarded(value)).isEqualTo(source);
    }

    @Test
    void endlessHeaderCostsLittleAndYieldsAnAddressThatWasVouchedFor() {
        String chain = String.join(",", Collections.nCopies(100_000, "10.1.1.1"));
        assertThat(xForwardedFor("10.0.0.1", "6.6.6.6," + chain)).isEqualTo("10.1.1.1");
        assertThat(forwarded("for=6.6.6.6;x=\"" + "a".repeat(1_000_000))).isEqualTo("10.0.0.1");
    }

    @Test
    void chainIsWalkedForThirtyTwoHopsAndNoFurther() {
        assertThat(xForwardedFor("10.0.0.1", "192.0.2.7" + ",10.1.1.1".repeat(31)))
                .isEqualTo("192.0.2.7");
        assertThat(xForwardedFor("10.0.0.1", "192.0.2.7" + ",10.1.1.1".repeat(32)))
                .isEqualTo("10.1.1.1");
    }

    @Test
    void headerIsReadForEightKibibytesFromItsRightEndAndNoFurther() {
        String near = ",10.1.1.1";
        String gap = " ".repeat(8192 - "192.0.2.7".length() - near.length());
        assertThat(xForwardedFor("10.0.0.1", "192.0.2.7" + gap + near)).isEqualTo("192.0.2.7");
        assertThat(xForwardedFor("10.0.0.1", "192.0.2.7" + gap + " " + near)).isEqualTo("10.1.1.1");
    }

    @Test
    void onlyTheConfiguredHeaderIsRead() {
        assertThat(xForwardedFor
                        .sourceOf("10.0.0.1", header("Forwarded", "for=6.6.6.6"))
                        .network())
                .isEqualTo("10.0.0.1");
    }

    private static HeaderFields forwardedFor(ForwardingHeader header, String value) {
        return header(header.fieldName(), value);
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.2.3",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.0.1",
        "100.64.0.1",
        "127.0.0.1",
        "169.254.0.1",
        "::1",
        "fd00::1",
        "fe80::1%eth0",
        "::ffff:10.0.0.1"
    })
    void requestFromAPrivateNetwork_isFromAnUnknownClient_untilProxiesAreConfigured(String remote) {
        try (LogLines log = LogLines.of(TrustedProxies.class)) {
            TrustedProxies undecided = TrustedProxies.undecided();
            for (ForwardingHeader header : ForwardingHeader.values()) {
                assertUnknown(undecided.sourceOf(remote, forwardedFor(header, "192.0.2.7")));
                assertUnknown(undecided.sourceOf(remote, forwardedFor(header, "x")));
            }
            assertUnknown(undecided.sourceOf(remote, name -> List.of()));
            assertThat(log.all())
                    .singleElement()
                    .asString()
                    .startsWith("WARNING: ")
                    .contains("latchkey.guard.trusted-proxies=" + remote + " ", "latchkey.guard.trusted-proxies=none")
                    .contains("failed logins", "throttles by source");
        }
    }

    @Test
    void warning_namesTheSettingThatDecides() {
        try (LogLines log = LogLines.of(TrustedProxies.class)) {
            TrustedProxies.undecided("a.server.trusted.proxies").sourceOf("10.0.0.1", name -> List.of());

            assertThat(log.all())
                    .singleElement()
                    .asString()
                    .contains("a.server.trusted.proxies=10.0.0.1 ", "a.server.trusted.proxies=none")
                    .doesNotContain("latchkey");
        }
    }

    @Test
    void proxyWithTheOtherField_isLoggedOnce_becauseItsClientsShareOneLimit() {
        try (LogLines log = LogLines.of(TrustedProxies.class)) {
            TrustedProxies proxies = TrustedProxies.of(ForwardingHeader.FORWARDED, List.of("10.0.0.0/8"));
            proxies.sourceOf("10.0.0.1", name -> List.of());
            assertThat(log.all()).isEmpty();
            for (int i = 0; i < 2; i++) {
                ClientSource source =
                        proxies.sourceOf("10.0.0.1", forwardedFor(ForwardingHeader.X_FORWARDED_FOR, "192.0.2.7"));
                assertThat(source.network()).isEqualTo("10.0.0.1");
            }
            assertThat(log.all())
                    .singleElement()
                    .asString()
                    .startsWith("WARNING: ")
                    .contains("10.0.0.1", "X-Forwarded-For and no Forwarded");
        }
    }

    @Test
    void unknownClientWithTheOtherField_isNotLogged() {
        try (LogLines log = LogLines.of(TrustedProxies.class)) {
            forwarded.sourceOf("192.0.2.1", forwardedFor(ForwardingHeader.X_FORWARDED_FOR, "192.0.2.7"));
            assertThat(log.all()).isEmpty();
        }
    }

    private static void assertUnknown(ClientSource source) {
        assertThat(source.isKnown()).isFalse();
        assertThat(source.network()).isEqualTo("unknown");
    }

    @ParameterizedTest
    @CsvSource({"11.0.0.1", "172.15.255.255", "172.32.0.1", "192.167.0.1", "100.128.0.1", "128.0.0.1", "203.0.113.9"})
    void forwardedRequestFromThePublicNetwork_isFromItsOwnAddress_withoutConfiguration(String remote) {
        try (LogLines log = LogLines.of(TrustedProxies.class)) {
            ClientSource source = TrustedProxies.undecided()
                    .sourceOf(remote, forwardedFor(ForwardingHeader.X_FORWARDED_FOR, "192.0.2.7"));
            assertThat(source.network()).isEqualTo(remote);
            assertThat(log.all()).isEmpty();
        }
    }

    @Test
    void forwardedRequestFromAPrivateNetwork_hasItsOwnAddress_withoutAProxyByConfiguration() {
        assertThat(TrustedProxies.none()
                        .sourceOf("10.1.2.3", forwardedFor(ForwardingHeader.X_FORWARDED_FOR, "192.0.2.7"))
                        .network())
                .isEqualTo("10.1.2.3");
        assertThat(TrustedProxies.of(ForwardingHeader.X_FORWARDED_FOR, List.of("none"))
                        .sourceOf("10.1.2.3", forwardedFor(ForwardingHeader.X_FORWARDED_FOR, "192.0.2.7"))
                        .network())
                .isEqualTo("10.1.2.3");
    }

    /** Tomcat with {@code native} copies the address from the header field, and some proxies write a port there. */
    @ParameterizedTest
    @CsvSource({
        "198.51.100.7:1234, 198.51.100.7",
        "[2001:db8:1:2::9]:443, 2001:db8:1:2:0:0:0:0/64",
        "[2001:db8:1:2::9], 2001:db8:1:2:0:0:0:0/64",
        "10.0.0.1:443, 192.0.2.7",
        "198.51.100.7:port, unknown"
    })
    void portOfTheConnectionsAddress_isIgnored(String remote, String source) {
        assertThat(xForwardedFor(remote, "192.0.2.7")).isEqualTo(source);
    }

    @Test
    void connectionWithoutAnAddressIsUnknown() {
        assertThat(xForwardedFor.sourceOf(null, name -> List.of())).isEqualTo(ClientSource.UNKNOWN);
        assertThat(xForwardedFor.sourceOf("unix:", name -> List.of())).isEqualTo(ClientSource.UNKNOWN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.1/8",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0.0/08",
                "10.0.0.0/",
                "10.0.0/8",
                "proxy.example",
                "",
                "/8",
                "2001:db8::/129",
                "2001:db8::1/32",
                "::ffff:10.0.0.0/95",
                "10.0.0.0/8/8",
                " 10.0.0.0/8"
            })
    void networkThatIsNotInTheNotationIsAStartUpError(String text) {
        assertThatThrownBy(() -> IpNetwork.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text.isBlank() ? "network" : text);
    }

    @Test
    void lengthOfANetwork_isToldAsItIsWritten() {
        assertThatThrownBy(() -> IpNetwork.parse("::ffff:10.0.0.0/129")).hasMessageContaining("from 0 to 128");
        assertThatThrownBy(() -> IpNetwork.parse("10.0.0.0/33")).hasMessageContaining("from 0 to 32");
    }

    @Test
    void networkHoldsItsAddressesAndNoOthers() {
        assertThat(IpNetwork.parse("::ffff:10.0.0.0/104")).isEqualTo(IpNetwork.parse("10.0.0.0/8"));
        assertThat(IpNetwork.parse("192.0.2.1")).isEqualTo(IpNetwork.parse("192.0.2.1/32"));
        assertThat(in("0.0.0.0/0", "203.0.113.9")).isTrue();
        assertThat(in("0.0.0.0/0", "2001:db8::1")).isFalse();
        assertThat(in("::/0", "2001:db8::1")).isTrue();
        assertThat(in("10.0.0.0/9", "10.127.255.255")).isTrue();
        assertThat(in("10.0.0.0/9", "10.128.0.0")).isFalse();
        assertThat(in("2001:db8:0:8000::/49", "2001:db8:0:8000::1")).isTrue();
        assertThat(in("2001:db8::/127", "2001:db8::1")).isTrue();
        assertThat(in("2001:db8::/127", "2001:db8::2")).isFalse();
    }

    /** A shorter prefix than the prefix of translated IPv4 addresses is a network of IPv6 addresses. */
    @Test
    void networkAroundTheTranslatedAddresses_hasIpv6AddressesAlone() {
        assertThat(in("64:ff9b::/96", "203.0.113.9")).isTrue();
        assertThat(in("64:ff9b::/95", "64:ff9b:0:0:0:1::")).isTrue();
        assertThat(in("64:ff9b::/64", "64:ff9b:0:0:1::")).isTrue();
        assertThat(in("64:ff9b::/32", "64:ff9b:1::")).isTrue();
        assertThat(in("64:ff9b::/32", "64:ff9c::")).isFalse();
        assertThat(in("64:ff9b::/32", "203.0.113.9")).isFalse();
    }

    private static boolean in(String network, String address) {
        return IpNetwork.parse(network).contains(IpAddress.parse(address).orElseThrow());
    }
}
