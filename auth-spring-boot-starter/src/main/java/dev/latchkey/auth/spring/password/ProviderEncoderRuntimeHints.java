package dev.latchkey.auth.spring.password;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.util.ReflectionUtils;

/** Lets a native image call the one method that {@link ProviderEncoderPostProcessor} reaches by reflection. */
final class ProviderEncoderRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        ReflectionUtils.doWithLocalMethods(DaoAuthenticationProvider.class, method -> {
            if (method.getName().equals(ProviderEncoderPostProcessor.ENCODER_GETTER)) {
                hints.reflection().registerMethod(method, ExecutableMode.INVOKE);
            }
        });
    }
}
