package dev.latchkey.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestContextTest {

    private final List<String> asked = new ArrayList<>();

    @Test
    void none_knowsNothing() {
        assertThat(RequestContext.none().address()).isEmpty();
        assertThat(RequestContext.none().tenant()).isEmpty();
        assertThat(RequestContext.none().header("Host")).isEmpty();
    }

    @Test
    void testsMakeOneInALine() {
        RequestContext context =
                RequestContext.from("192.0.2.7").withTenant("emea").withHeader("X-Device", "laptop", "phone");
        assertThat(context.address()).contains("192.0.2.7");
        assertThat(context.tenant()).contains("emea");
        assertThat(context.header("x-device")).containsExactly("laptop", "phone");
        assertThat(context.header("X-Other")).isEmpty();
    }

    @Test
    void headerField_takesThePlaceOfThoseOfItsName() {
        RequestContext context = RequestContext.none()
                .withHeader("X-A", "1")
                .withHeader("X-B", "2")
                .withHeader("x-a", "3");
        assertThat(context.header("X-A")).containsExactly("3");
        assertThat(context.header("X-B")).containsExactly("2");
    }

    @Test
    void address_isLookedForWhenAPluginAsks() {
        RequestContext context = RequestContext.of(name -> List.of(), () -> {
            asked.add("address");
            return Optional.of("192.0.2.7");
        });
        assertThat(context.withTenant("emea").tenant()).contains("emea");
        assertThat(asked).isEmpty();
        assertThat(context.address()).contains("192.0.2.7");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\nb", "a\u0000"})
    void textThatIsNoTenant_isRefused(String text) {
        assertThat(RequestContext.isTenant(text)).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RequestContext.none().withTenant(text));
    }

    @Test
    void tenant_hasABound() {
        assertThat(RequestContext.isTenant("t".repeat(255))).isTrue();
        assertThat(RequestContext.isTenant("t".repeat(256))).isFalse();
    }

    @Test
    void tenantAlone_hasNeitherAddressNorHeaderFields() {
        RequestContext context = RequestContext.from("192.0.2.7").withHeader("X-A", "1");
        assertThat(context.tenantAlone()).isSameAs(RequestContext.none());
        RequestContext alone = context.withTenant("emea").tenantAlone();
        assertThat(alone.tenant()).contains("emea");
        assertThat(alone.address()).isEmpty();
        assertThat(alone.header("X-A")).isEmpty();
    }

    @Test
    void text_hasNoHeaderFields() {
        assertThat(RequestContext.from("192.0.2.7").withHeader("X-API-Key", "hunter2"))
                .hasToString("RequestContext[address=192.0.2.7, tenant=null]");
    }
}
