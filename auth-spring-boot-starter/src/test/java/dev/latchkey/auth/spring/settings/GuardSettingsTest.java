package dev.latchkey.auth.spring.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.GuardEvent;
import dev.latchkey.auth.guard.GuardListener;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GuardSettingsTest {

    @Test
    void listenerThatFails_silencesNoOtherListener() {
        List<GuardEvent> heard = new ArrayList<>();
        GuardListener broken = event -> {
            throw new IllegalStateException("broken");
        };
        GuardEvent event = new GuardEvent.StoreLost();
        GuardSettings.all(List.of(broken, heard::add)).on(event);
        assertThat(heard).containsExactly(event);
    }
}
