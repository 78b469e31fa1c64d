package dev.latchkey.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What the interface gets later is asked about as well. */
class DelegatingAuthPluginTest {

    private static final Subject ADA = Subject.of("ada");

    @TestFactory
    Stream<DynamicTest> eachQuestion_isPassedOn_asItIs_andAnsweredAsTheOtherOneAnswers() {
        return Arrays.stream(AuthPlugin.class.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .map(method -> DynamicTest.dynamicTest(method.toGenericString(), () -> assertPassedOn(method)));
    }

    private static void assertPassedOn(Method method) throws Exception {
        List<Object> asked = new ArrayList<>();
        Object answer = answer(method);
        AuthPlugin other = (AuthPlugin) Proxy.newProxyInstance(
                AuthPlugin.class.getClassLoader(), new Class<?>[] {AuthPlugin.class}, (proxy, called, arguments) -> {
                    asked.add(called);
                    asked.addAll(arguments == null ? List.of() : List.of(arguments));
                    return answer;
                });
        Object[] arguments = Arrays.stream(method.getParameterTypes())
                .map(DelegatingAuthPluginTest::argument)
                .toArray();
        assertEquals(answer, method.invoke(new DelegatingAuthPlugin(other) {}, arguments));
        List<Object> expected = new ArrayList<>(List.of(method));
        expected.addAll(List.of(arguments));
        assertEquals(expected, asked);
    }

    /** None that is the answer of a plugin that overrides nothing. */
    private static Object answer(Method method) {
        Class<?> type = method.getReturnType();
        if (type == boolean.class) {
            return !method.getName().equals("supports");
        } else if (type == String.class) {
            return "other";
        } else if (type == Optional.class) {
            return Optional.of("something");
        } else if (type == Access.class) {
            return Access.GRANTED;
        } else if (type == Decision.class) {
            return Rejected.because(RejectionReason.MALFORMED);
        }
        assertEquals(void.class, type, "an answer of a type that this test does not know");
        return null;
    }

    private static Object argument(Class<?> type) {
        if (type == Class.class) {
            return PasswordCredentials.class;
        } else if (type == Credentials.class || type == PasswordCredentials.class) {
            return new PasswordCredentials("ada", Secret.of("secret"));
        } else if (type == RequestContext.class) {
            return RequestContext.none();
        } else if (type == Authenticated.class) {
            return Authenticated.as(ADA);
        } else if (type == Subject.class) {
            return ADA;
        } else if (type == Permission.class) {
            return new Permission("ns:config", "r");
        } else if (type == LoginGrant.class) {
            return LoginGrant.of("urn:example:grant", Map.of());
        } else if (type == Instant.class) {
            return Instant.EPOCH;
        }
        assertEquals(String.class, type, "an argument of a type that this test does not know");
        return "ada";
    }
}
