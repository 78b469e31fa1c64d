package dev.latchkey.auth.contract;

import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Secret;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Copies of credentials with other texts, and the secret texts of a value. Copies work for records only. */
final class Variants {

    private Variants() {}

    /**
     * The texts of all secrets in a {@link Secret}, a map's values or a record. In credentials without a Secret, each text other
     * than the account counts as secret.
     */
    static Set<String> secretTextsOf(@Nullable Object value) {
        Set<String> texts = new LinkedHashSet<>();
        if (value instanceof Secret secret) {
            texts.add(textOf(secret));
        } else if (value instanceof Map<?, ?> fields) {
            fields.values().forEach(field -> texts.addAll(secretTextsOf(field)));
        } else if (value instanceof Record whole) {
            valuesOf(whole).forEach(part -> texts.addAll(part instanceof String ? Set.of() : secretTextsOf(part)));
            if (texts.isEmpty() && value instanceof Credentials credentials) {
                valuesOf(whole).stream()
                        .filter(String.class::isInstance)
                        .map(String.class::cast)
                        .filter(text -> !credentials.account().equals(Optional.of(text)))
                        .forEach(texts::add);
            }
        }
        return texts;
    }

    /** The texts of the secrets that the credentials name. */
    static Set<String> namedSecretTextsOf(Credentials credentials) {
        Set<String> texts = new LinkedHashSet<>();
        credentials.secrets().forEach(secret -> texts.add(textOf(secret)));
        return texts;
    }

    /** The text of the only secret; empty if there are none or several. */
    static Optional<String> onlySecretOf(Credentials credentials) {
        Set<String> texts =
                credentials instanceof Record ? secretTextsOf(credentials) : namedSecretTextsOf(credentials);
        return texts.size() == 1 ? Optional.of(texts.iterator().next()) : Optional.empty();
    }

    /**
     * A copy with another secret; empty unless the credentials are a record with exactly one secret text.
     *
     * @throws IllegalArgumentException if such credentials reject the text
     */
    static Optional<Credentials> withSecret(Credentials credentials, String text) {
        Set<String> secrets = secretTextsOf(credentials);
        return credentials instanceof Record whole && secrets.size() == 1
                ? Optional.of((Credentials) changed(whole, part -> withSecret(part, secrets, text)))
                : Optional.empty();
    }

    /** A copy with a change of every text that is no secret, for example of names; empty unless the credentials are a record. */
    static Optional<Credentials> withNames(Credentials credentials, UnaryOperator<String> change) {
        if (!(credentials instanceof Record whole)) {
            return Optional.empty();
        }
        Set<String> secrets = secretTextsOf(credentials);
        return Optional.of((Credentials) changed(
                whole, part -> part instanceof String text && !isSecret(part, secrets) ? change.apply(text) : part));
    }

    private static boolean isSecret(@Nullable Object part, Set<String> secrets) {
        return part instanceof Secret || (part instanceof String text && secrets.contains(text));
    }

    private static @Nullable Object withSecret(@Nullable Object part, Set<String> secrets, String text) {
        if (part instanceof Secret) {
            return Secret.of(text);
        }
        if (part instanceof Map<?, ?> fields) {
            Map<Object, @Nullable Object> changed = new LinkedHashMap<>();
            fields.forEach((name, value) -> changed.put(name, withSecret(value, secrets, text)));
            return changed;
        }
        if (part instanceof Record whole) {
            return changed(whole, inner -> withSecret(inner, secrets, text));
        }
        return isSecret(part, secrets) ? text : part;
    }

    static String textOf(Secret secret) {
        return secret.withText(CharSequence::toString);
    }

    private static List<@Nullable Object> valuesOf(Record whole) {
        List<@Nullable Object> values = new ArrayList<>();
        for (RecordComponent component : whole.getClass().getRecordComponents()) {
            try {
                Method accessor = component.getAccessor();
                accessor.setAccessible(true);
                values.add(accessor.invoke(whole));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(
                        "A component of " + whole.getClass().getName(), e);
            }
        }
        return values;
    }

    private static Record changed(Record whole, UnaryOperator<@Nullable Object> change) {
        RecordComponent[] components = whole.getClass().getRecordComponents();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        Object[] values = valuesOf(whole).stream().map(change).toArray();
        try {
            Constructor<? extends Record> constructor = whole.getClass().getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException refused) {
                throw refused;
            }
            throw new IllegalStateException("A copy of " + whole.getClass().getName(), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("A copy of " + whole.getClass().getName(), e);
        }
    }
}
