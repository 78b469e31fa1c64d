package dev.latchkey.lines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.spring.plugin.OutsideSources;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.security.core.Authentication;
import org.springframework.util.ClassUtils;

/** Spring Security 7's SAML login. Its class is not in Spring Security 6.5, for which the tests are compiled, too. */
@EnabledIf("hasSaml")
class SamlLoginIT {

    private static final String PACKAGE = "org.springframework.security.saml2.provider.service.authentication.";
    private static final String LOGIN = PACKAGE + "Saml2AssertionAuthentication";

    static boolean hasSaml() {
        return ClassUtils.isPresent(LOGIN, SamlLoginIT.class.getClassLoader());
    }

    @Test
    void accountsOfTwoProviders_areTwoSubjects() throws Exception {
        assertThat(OutsideSources.nameOf(login("alice", "firm")))
                .contains(new OutsideSources.Name("saml2:firm", "alice"));
        assertThat(OutsideSources.nameOf(login("alice", "other")))
                .contains(new OutsideSources.Name("saml2:other", "alice"));
    }

    private static Authentication login(Object principal, String registration) throws Exception {
        Class<?> assertions = Class.forName(PACKAGE + "Saml2ResponseAssertionAccessor");
        Object assertion = Proxy.newProxyInstance(
                assertions.getClassLoader(),
                new Class<?>[] {assertions},
                (proxy, method, arguments) -> method.getReturnType() == String.class ? "<response/>" : null);
        return Class.forName(LOGIN)
                .asSubclass(Authentication.class)
                .getConstructor(Object.class, assertions, Collection.class, String.class)
                .newInstance(principal, assertion, List.of(), registration);
    }
}
