package dev.latchkey.nacos.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is made of JMeter's samples. */
final class JMeterSamplesTest {

    @Test
    void samples_areALoadOfEachLabel_andRejectedSamplesAreErrors() {
        Map<String, Load> loads = JMeterSamples.loads(
                50,
                List.of(
                        "timeStamp,elapsed,label,responseCode,success,bytes",
                        "1000,400,login,200,true,9",
                        "1100,900,login,200,true,9",
                        "2000,1000,login,503,false,9",
                        "5000,20,read,200,true,9"));

        assertThat(loads).containsOnlyKeys("login", "read");
        assertThat(loads.get("login")).isEqualTo(new Load(50, 1, List.of(400.0, 900.0), 1));
        assertThat(loads.get("login").errorPercent()).isBetween(33.3, 33.4);
        assertThat(loads.get("read").perSecond()).isEqualTo(50);
    }
}
