package dev.latchkey.auth.spring.password;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.util.ReflectionUtils;

/** Registers the methods for reflection by {@link ProviderEncoderPostProcessor} in a native image. */
final class ProviderEncoderRuntimeHints implements RuntimeHintsRegistrar {

    private static final Set<String> REACHED =
            Set.of(ProviderEncoderPostProcessor.ENCODER_GETTER, ProviderEncoderPostProcessor.ACCOUNTS_GETTER);

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        ReflectionUtils.doWithLocalMethods(DaoAuthenticationProvider.class, method -> {
            if (REACHED.contains(method.getName())) {
                hints.reflection().registerMethod(method, ExecutableMode.INVOKE);
            }
        });
    }
}
